"""`facedown new` writes a game that works; games and agents of others are found by entry points."""

import json
import subprocess
import sys

import pytest

from facedown.agents.registry import entries, make_agent
from facedown.cli import main
from facedown.core import SpecError
from facedown.games.registry import load_game

GAMES = """
[facedown.games]
coins = coins_of_ann:Coins
broken = coins_of_ann:Missing
kuhn = coins_of_ann:Coins

[facedown.agents]
first = coins_of_ann:First
no-agent = coins_of_ann:Coins
"""
MODULE = '''
import facedown


class Coins:
    """A coin that nobody sees is guessed."""

    players, bounds, moves, most_moves, most_plies = 1, (0.0, 1.0), 4, 2, 2

    def start(self):
        return ()

    def turn(self, s):
        return (facedown.CHANCE, 0, facedown.OVER)[len(s)]

    def legal(self, s):
        return ["heads", "tails"] if not s else ["say heads", "say tails"]

    def apply(self, s, move):
        return (*s, move)

    def sees(self, s, move, viewer):
        return move if s else "tossed"

    def payoff(self, s):
        return [float(s[1] == f"say {s[0]}")]

    def hide(self, s, viewer):
        return ("?" if s else "", *s[1:])[: max(len(s), 0)]

    infoset = hide


class First(facedown.Agent):
    """Plays the first legal move."""

    def choose(self, view, legal):
        return legal[0]
'''


def run(*arguments, **options):
    words = [sys.executable, "-m", *arguments]
    return subprocess.run(words, capture_output=True, text=True, check=False, **options)


def test_the_skeleton_passes_its_own_test(tmp_path):
    """Its test checks the laws and plays a match."""
    assert main(["new", "high-card", "--in", str(tmp_path)]) == 0
    assert sorted(file.name for file in tmp_path.iterdir()) == ["high_card.py", "test_high_card.py"]
    assert load_game(f"{tmp_path / 'high_card.py'}:HighCard").players == 2
    ran = run("pytest", "-q", "-p", "no:cacheprovider", str(tmp_path), cwd=tmp_path)
    assert ran.returncode == 0, ran.stdout
    assert "2 passed" in ran.stdout


def test_the_skeleton_passes_check(tmp_path, capsys):
    assert main(["new", "mine", "--in", str(tmp_path)]) == 0
    written = capsys.readouterr().out
    assert f"facedown check {tmp_path / 'mine.py'}:Mine" in " ".join(written.split())
    spec = f"{tmp_path / 'mine.py'}:Mine"
    assert main(["check", spec, "--games", "10", "--seconds", "20", "--json"]) == 0
    laws = json.loads(capsys.readouterr().out)
    assert laws["ok"]


@pytest.mark.parametrize("name", ["7up", "class", "a b", "../out", "", "a" * 99])
def test_what_cannot_name_a_file(name, tmp_path, capsys):
    assert main(["new", name, "--in", str(tmp_path)]) == 2
    assert list(tmp_path.iterdir()) == []
    assert len(capsys.readouterr().err.splitlines()) == 1


def test_what_is_there_stays(tmp_path, capsys):
    (tmp_path / "test_mine.py").write_text("kept")
    assert main(["new", "mine", "--in", str(tmp_path)]) == 2
    assert "test_mine.py is there already" in capsys.readouterr().err
    assert [file.name for file in tmp_path.iterdir()] == ["test_mine.py"]
    assert main(["new", "mine", "--in", str(tmp_path), "--overwrite"]) == 0
    assert main(["new", "mine", "--in", str(tmp_path / "nowhere")]) == 2


@pytest.fixture
def installed(tmp_path, monkeypatch):
    """A distribution of somebody's, as pip leaves it."""
    (tmp_path / "coins_of_ann.py").write_text(MODULE)
    info = tmp_path / "coins_of_ann-1.2.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: coins-of-ann\nVersion: 1.2\n")
    (info / "entry_points.txt").write_text(GAMES)
    monkeypatch.syspath_prepend(str(tmp_path))
    yield
    sys.modules.pop("coins_of_ann", None)


def test_an_installed_game_and_agent_play(installed):
    coins = load_game("coins")
    assert (coins.players, coins.spec) == (1, "coins")
    agent = make_agent("first", coins, 0, seed=1)
    position = coins.start()
    position.apply(position.legal()[0])
    assert agent.choose(*position.offer(0)) in position.legal()


def test_they_are_listed(installed, capsys):
    assert main(["games", "--json"]) == 0
    games = {one["name"]: one["summary"] for one in json.loads(capsys.readouterr().out)["games"]}
    assert games["coins"] == "of coins-of-ann 1.2 (coins_of_ann:Coins)"
    assert games["kuhn"].startswith("Kuhn poker")  # a name of ours stays ours
    assert entries(None)["first"] == "of coins-of-ann 1.2 (coins_of_ann:First)"


def test_what_is_wrong_with_an_installed_one_is_told(installed):
    with pytest.raises(SpecError, match=r"game 'broken' of coins-of-ann 1.2 does not load: Attri"):
        load_game("broken")
    with pytest.raises(SpecError, match="no-agent is no agent: a class with a method"):
        make_agent("no-agent", load_game("kuhn"), 0, seed=1)


def test_a_file_s_class_that_is_no_agent_is_told_so(installed, tmp_path):
    with pytest.raises(SpecError, match="Coins is no agent"):
        make_agent(f"{tmp_path / 'coins_of_ann.py'}:Coins", load_game("kuhn"), 0, seed=1)
