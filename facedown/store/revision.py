"""The revision of the code that decides what is played: a digest of what takes part in a match.

It is made of the sources of `core`, `belief`, `search` and `agents`, of what the arena asks for a
move and deals by, of the game's own folder with its data (for a rule file of `gdl` and the file),
of a user's own files, and of the models that agents are given. Of Python sources comments,
docstrings, blank lines and trailing spaces do not count: who mends a word does not make results
old. Everything else does, formatting included. Neither documentation, papers, commands nor
statistics take part. Versions of Python, NumPy and Numba are kept beside it, with the machine.
"""

from __future__ import annotations

import ast
import hashlib
import io
import json
import os
import platform
import sys
import tokenize
from collections.abc import Iterable, Iterator
from functools import cache
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING, Any

from facedown.core.files import write_whole

if TYPE_CHECKING:
    from facedown.core import Game

PACKAGE = Path(__file__).resolve().parent.parent

FOLDERS = ("core", "belief", "search", "agents")
"""Whole folders of the package that take part in every match."""

ARENA = ("clock.py", "guarded.py", "game.py", "plan.py", "planned.py", "private.py", "sides.py")
"""Files of the arena that do: who sits where, what an agent is handed, how chance is drawn."""

_LENGTH = 16  # hexadecimal digits of a revision


def revision(game: Game, agents: Iterable[str]) -> str:
    """The revision of the code that plays these agents in this game."""
    files = {file for folder in FOLDERS for file in _sources(PACKAGE / folder)}
    files |= {PACKAGE / "arena" / name for name in ARENA}
    files |= set(_sources(PACKAGE / "arena" / "apart"))
    files |= set(_game_files(game))
    for spec in agents:
        files |= set(_agent_files(spec, game))
    return digest_of(files)


def machine() -> dict[str, Any]:
    """Where games are played, as far as it may matter: processor, cores, versions."""
    return {
        "system": platform.system(),
        "processor": _processor(),
        "cores": os.cpu_count() or 1,
        "python": platform.python_version(),
        **{name: metadata.version(name) for name in ("numpy", "numba")},
    }


@cache
def _processor() -> str:
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as file:
            named = [line.partition(":")[2] for line in file if line.startswith("model name")]
        return named[0].strip()
    except (OSError, IndexError):
        return platform.processor() or platform.machine()


def _sources(folder: Path) -> Iterator[Path]:
    """All that a folder of the package holds, data included, but for what Python makes of it."""
    for file in folder.rglob("*"):
        if "__pycache__" not in file.parts and file.is_file() and file.suffix != ".pyc":
            yield file


def _game_files(game: Game) -> Iterator[Path]:
    """The files of a game: its folder, or the module of its class; for rule files all of `gdl`."""
    for kind in type(game.definition).__mro__:
        module = sys.modules.get(kind.__module__)
        file = Path(getattr(module, "__file__", None) or "")
        if not file.is_file():
            continue
        if not file.is_relative_to(PACKAGE):
            yield from _beside(file)
        elif file.name == "__init__.py" or file.parent.parent == PACKAGE / "games":
            yield from _sources(file.parent)
        else:
            yield file
    if type(game.definition).__module__.startswith("facedown.gdl"):
        yield from (file for file in _sources(PACKAGE / "gdl") if file.suffix == ".py")
        yield from _rule_file(game.spec)


def _rule_file(spec: str) -> Iterator[Path]:
    from facedown.games.registry import RULE_FILE
    from facedown.gdl.library import find

    yield find(spec.removeprefix(RULE_FILE))


def _agent_files(spec_text: str, game: Game) -> Iterator[Path]:
    """A user's own file with what it imports from its folder, and files that options name.

    For a program the files that its command names. Nothing of it is run.
    """
    from facedown.agents.registry import resolve

    spec = resolve(spec_text, game)
    if spec.file is not None and spec.file.is_file():
        yield from _imported(spec.file.resolve(), set())
    for value in spec.options.values():
        yield from (Path(word) for word in value.split() if Path(word).is_file())
        named = Path(value.rpartition(".py:")[0] + ".py" if ".py:" in value else value)
        if named.is_file():
            yield named


def _imported(file: Path, seen: set[Path]) -> Iterator[Path]:
    """A file, and those beside it that it imports, as its source says."""
    if file in seen or not file.is_file():
        return
    seen.add(file)
    yield file
    try:
        tree = ast.parse(file.read_bytes())
    except (SyntaxError, ValueError):
        return
    for name in _imports(tree):
        first = file.parent / name.partition(".")[0]
        yield from _imported(first.with_suffix(".py"), seen)
        yield from _imported(first / "__init__.py", seen)


def _imports(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from ([node.module] if node.module else [alias.name for alias in node.names])


def _beside(file: Path) -> Iterator[Path]:
    """A user's file, and the modules that were loaded from its folder."""
    yield file.resolve()
    for module in list(sys.modules.values()):
        other = getattr(module, "__file__", None)
        if other and Path(other).resolve().parent == file.resolve().parent:
            yield Path(other).resolve()


# --- digests -------------------------------------------------------------------------------------


def digest_of(files: Iterable[Path]) -> str:
    """One digest of all files: of their names in the package, or beyond it, and their meaning."""
    known = _Known()
    parts = []
    for file in files:
        inside = file.is_relative_to(PACKAGE)
        name = file.relative_to(PACKAGE).as_posix() if inside else file.name
        parts.append(f"{name} {known.digest(file)}")
    known.save()
    return hashlib.sha256("\n".join(sorted(parts)).encode()).hexdigest()[:_LENGTH]


class _Known:
    """Digests of sources without comments, by the digest of the file: taking them out takes time.

    They are kept beside the compiled code, and worked out anew where that cannot be read.
    """

    def __init__(self) -> None:
        from facedown.core.jit import cache_root

        self._file = cache_root() / "sources.json"
        self._new = False
        try:
            kept = json.loads(self._file.read_text(encoding="utf-8"))
            self._kept = {str(key): str(value) for key, value in kept.items()}
        except (OSError, ValueError, AttributeError):
            self._kept = {}

    def digest(self, file: Path) -> str:
        data = file.read_bytes()
        raw = hashlib.sha256(data).hexdigest()
        if file.suffix != ".py":
            return raw
        if raw not in self._kept:
            self._kept[raw] = hashlib.sha256(bare(data).encode()).hexdigest()
            self._new = True
        return self._kept[raw]

    def save(self) -> None:
        if self._new:
            try:
                self._file.parent.mkdir(parents=True, exist_ok=True)
                write_whole(self._file, json.dumps(self._kept))
            except Exception:  # a cache: without it the next run takes a second longer
                self._new = False


def bare(source: bytes) -> str:
    """A Python source without comments, docstrings, blank lines and trailing spaces.

    >>> bare(b'def f():\\n    "It is one."\\n\\n    return 1  # always\\n')
    'def f():\\n    return 1'
    """
    try:
        cuts = [*_docstrings(ast.parse(source)), *_comments(source)]
        source.decode()
    except (SyntaxError, ValueError, tokenize.TokenError):
        return source.decode(errors="backslashreplace")  # whatever it is, it is not Python
    kept = source.splitlines()
    for (row, start), (end_row, end) in sorted(cuts, reverse=True):
        kept[row - 1 : end_row] = [kept[row - 1][:start] + kept[end_row - 1][end:]]
    return "\n".join(line for part in kept if (line := part.decode().rstrip()))


Cut = tuple[tuple[int, int], tuple[int, int]]
"""From where to where a source is cut: rows from 1, columns in bytes."""


def _docstrings(tree: ast.Module) -> Iterator[Cut]:
    """Where text stands alone, which does nothing."""
    for node in ast.walk(tree):
        if not (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)):
            continue
        if isinstance(node.value.value, str) and node.end_lineno and node.end_col_offset:
            yield (node.lineno, node.col_offset), (node.end_lineno, node.end_col_offset)


def _comments(source: bytes) -> Iterator[Cut]:
    for token in tokenize.tokenize(io.BytesIO(source).readline):
        if token.type == tokenize.COMMENT:
            row, column = token.start
            start = len(token.line[:column].encode())
            yield (row, start), (row, start + len(token.string.encode()))
