"""The revision: of what decides the result, and of nothing else."""

from pathlib import Path

import pytest

from facedown.games.registry import load_game
from facedown.store import revision as module
from facedown.store.revision import bare, revision

SOURCE = '''"""Doc."""
import os  # needed

TEXT = "# no comment"
"""What it is."""


def f(x):
    """Say
    it."""
    # why
    return f"{x}#"  # done


class Empty:
    """Nothing."""
'''

BARE = """import os
TEXT = "# no comment"
def f(x):
    return f"{x}#"
class Empty:"""


def test_comments_docstrings_and_blank_lines_do_not_count():
    assert bare(SOURCE.encode()) == BARE
    assert bare(SOURCE.replace("# why", "# because of ü").encode()) == BARE
    assert bare(SOURCE.replace("x}#", "x}!").encode()) != BARE
    assert bare(SOURCE.replace("\n", "\r\n").encode()) == BARE


def test_what_is_no_python_counts_as_it_is():
    assert bare(b"def (") == "def ("
    assert bare(b"\xff\xfe") != bare(b"\xff\xfd")


def test_all_sources_that_take_part_still_parse_when_they_are_bare():
    files = [file for folder in module.FOLDERS for file in (module.PACKAGE / folder).glob("*.py")]
    assert len(files) > 50
    for file in files[::7]:
        text = bare(file.read_bytes())
        assert "#" not in text or file.read_text().count("#") >= text.count("#")
        assert '"""' not in text


PLAYER = """
import helper


class Mine:
    def __init__(self, game, player, seed):
        pass

    def observe(self, token, text):
        pass

    def choose(self, view, legal):
        return legal[helper.FIRST]
"""


@pytest.fixture
def mine(tmp_path, monkeypatch):
    (tmp_path / "helper.py").write_text("FIRST = 0\n")
    (tmp_path / "mine.py").write_text(PLAYER)
    monkeypatch.syspath_prepend(str(tmp_path))
    return tmp_path


def test_a_users_own_files_take_part_with_what_they_import(mine):
    kuhn, agents = load_game("kuhn"), [f"{mine}/mine.py:Mine", "random"]
    first = revision(kuhn, agents)
    assert revision(kuhn, agents) == first
    (mine / "helper.py").write_text("FIRST = 0  # the first\n")
    assert revision(kuhn, agents) == first
    (mine / "helper.py").write_text("FIRST = -1\n")
    second = revision(kuhn, agents)
    assert second != first
    (mine / "mine.py").write_text(PLAYER + "\nMORE = 1\n")
    assert revision(kuhn, agents) not in (first, second)
    assert revision(kuhn, ["random", "random"]) != first


def test_games_have_their_own_and_docs_have_none(monkeypatch, tmp_path):
    kuhn, leduc, doors = (load_game(name) for name in ("kuhn", "leduc", "monty-hall"))
    found = {revision(game, ["random"]) for game in (kuhn, leduc, doors)}
    assert len(found) == 3
    seen = []
    monkeypatch.setattr(module, "digest_of", lambda files: seen.append(set(files)) or "")
    for game in (kuhn, leduc, doors):
        revision(game, ["random"])
    games = module.PACKAGE / "games"
    assert games / "kuhn" / "__init__.py" in seen[0]
    assert not any("leduc" in file.parts or "gdl" in file.parts for file in seen[0])
    assert not any("kuhn" in file.parts for file in seen[1])
    assert module.PACKAGE / "gdl" / "library" / "monty-hall.kif" in seen[2]
    for files in seen:
        inside = {file.relative_to(module.PACKAGE).parts[0] for file in files}
        assert inside <= {"core", "belief", "search", "agents", "arena", "games", "gdl"}
        assert not any(Path(file).suffix == ".md" for file in files)


def test_the_model_that_an_agent_is_given_takes_part(tmp_path):
    cheat = load_game("cheat")
    shipped = Path(module.PACKAGE / "games" / "cheat" / "people.skops")
    model = tmp_path / "model.skops"
    model.write_bytes(shipped.read_bytes())
    first = revision(cheat, [f"sdmcts:predictor={model}"])
    model.write_bytes(shipped.read_bytes() + b"\0")
    assert revision(cheat, [f"sdmcts:predictor={model}"]) != first
