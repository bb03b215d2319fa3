"""From text to nested lists: symbols, parentheses, comments, and parentheses that are amiss.

Nothing here recurses, and size and depth are bounded, so any text is read or refused in time and
memory proportional to its length.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field

from facedown.gdl.errors import GdlError
from facedown.gdl.syntax import Place, Repair

MAX_CHARACTERS = 4_000_000
MAX_TOKENS = 500_000
MAX_DEPTH = 100
"""Of nested parentheses; rules of real games stay below 20."""

MAX_AMISS = 50
"""Parentheses too many or missing; where there are more, no meaning is plain."""

_TOKEN = re.compile(r";[^\n\r]*|[()]|[^\s();]+")
_CONTROL = re.compile(r"[\x00-\x08\x0e-\x1f\x7f]")
_BREAK = re.compile(r"\r\n?|\n")


@dataclass(frozen=True, slots=True)
class Leaf:
    """A symbol or a variable, in lower case, and where it starts."""

    text: str
    at: int


@dataclass(frozen=True, slots=True)
class Branch:
    """What stands between two parentheses, from the first of them to beyond the second."""

    items: tuple[Leaf | Branch, ...]
    at: int
    end: int


Node = Leaf | Branch


@dataclass(frozen=True, slots=True)
class Statement:
    """What stands at the top level of a file.

    `mended`: its parentheses had to be guessed, so that nothing else in it may be amiss.
    `strays`: closing parentheses too many that come right after it.
    """

    node: Node
    mended: bool = False
    strays: int = 0


@dataclass
class Text:
    """A text with its name, the places of its characters, and what has been repaired in it."""

    source: str
    text: str
    repairs: list[Repair] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._starts = [0, *(match.end() for match in _BREAK.finditer(self.text))]

    def place(self, at: int) -> Place:
        line = bisect_right(self._starts, at)
        return Place(line, at - self._starts[line - 1] + 1)

    def shown(self, node: Node) -> str:
        return node.text if isinstance(node, Leaf) else self.text[node.at : node.end]

    def error(self, node: Node, words: str) -> GdlError:
        return GdlError(self.source, self.place(node.at), words, self.shown(node))

    def error_at(self, at: int, words: str) -> GdlError:
        line = self.place(at).line
        end = self._starts[line] if line < len(self._starts) else len(self.text)
        return GdlError(self.source, self.place(at), words, self.text[at:end])

    def repaired(self, at: int, words: str) -> None:
        self.repairs.append(Repair(self.place(at), words))


def statements(text: Text) -> list[Statement]:
    """What stands at the top level, in order."""
    if len(text.text) > MAX_CHARACTERS:
        raise text.error_at(0, f"more than {MAX_CHARACTERS:,} characters")
    return _Nesting(text).statements()


def symbols(text: str) -> set[str]:
    """All that a text names, so that a new name can be made."""
    return {match[0].lower() for match in _TOKEN.finditer(text) if match[0][0] not in ";()"}


class _Nesting:
    """One pass over the tokens with a stack of what is open."""

    def __init__(self, text: Text) -> None:
        self.text = text
        self.found: list[Statement] = []
        self.items: list[list[Node]] = []
        self.opened: list[int] = []
        self.wrapped = False

    def statements(self) -> list[Statement]:
        tokens = self._tokens()
        self._unwrap(tokens)
        for index, (token, at) in enumerate(tokens):
            if token == "(":
                after = tokens[index + 1][0] if index + 1 < len(tokens) else ""
                self._open(at, after == "<=")
            elif token == ")":
                self._close(at)
            else:
                self._add(Leaf(token, at))
        if self.opened:
            self._mend(len(self.text.text), "at the end of the file")
        return self.found

    def _tokens(self) -> list[tuple[str, int]]:
        tokens = list(self._scan())
        if not tokens:
            raise self.text.error_at(0, "no rules here; (role ...) and more are wanted")
        return tokens

    def _scan(self) -> Iterator[tuple[str, int]]:
        count = 0
        for match in _TOKEN.finditer(self.text.text):
            token = match[0]
            if token[0] == ";":
                continue
            count += 1
            if count > MAX_TOKENS:
                raise self.text.error_at(match.start(), f"more than {MAX_TOKENS:,} words")
            if _CONTROL.search(token):
                raise self.text.error_at(match.start(), "a control character; text is wanted")
            yield token.lower(), match.start()

    def _unwrap(self, tokens: list[tuple[str, int]]) -> None:
        """Rules may stand in one list, as in a START message."""
        if [token for token, _ in tokens[:2]] == ["(", "("]:
            self.wrapped = True
            del tokens[0]

    def _open(self, at: int, rule: bool) -> None:
        if rule and self.opened:  # no rule stands inside anything
            self._mend(at, f"before the rule in line {self.text.place(at).line}")
        if len(self.opened) >= MAX_DEPTH:
            raise self.text.error_at(at, f"parentheses nest deeper than {MAX_DEPTH}")
        self.opened.append(at)
        self.items.append([])

    def _close(self, at: int) -> None:
        if not self.opened:
            self._stray(at)
            return
        start = self.opened.pop()
        self._add(Branch(tuple(self.items.pop()), start, at + 1))

    def _add(self, node: Node) -> None:
        if self.items:
            self.items[-1].append(node)
        else:
            self.found.append(Statement(node))

    def _stray(self, at: int) -> None:
        if self.wrapped:
            self.wrapped = False
            return
        self._amiss(at, "a closing parenthesis too many, ignored")
        if self.found:
            last = self.found[-1]
            self.found[-1] = Statement(last.node, last.mended, last.strays + 1)

    def _mend(self, at: int, where: str) -> None:
        """Close a statement that lacks only its last parenthesis; refuse where more are missing."""
        start = self.opened[-1]
        if len(self.opened) > 1:
            raise self.text.error_at(start, f"this parenthesis is not closed {where}")
        self._amiss(start, f"not closed {where}; closed there")
        self.opened.pop()
        self.found.append(Statement(Branch(tuple(self.items.pop()), start, at), mended=True))

    def _amiss(self, at: int, words: str) -> None:
        self.text.repaired(at, words)
        if len(self.text.repairs) > MAX_AMISS:
            raise self.text.error_at(at, f"more than {MAX_AMISS} parentheses are amiss")
