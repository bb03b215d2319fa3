"""What whoever runs a referee gets: logs to replay, scrambled rules, tournaments, the truth."""

from __future__ import annotations

import json
from contextlib import ExitStack
from time import monotonic

import pytest

from facedown.arena.replay import replay
from facedown.cli import main
from facedown.core import SpecError, Stream
from facedown.gdl.library import find
from facedown.gdl.syntax import Compound
from facedown.ggp.clerk import Clerk
from facedown.ggp.contest import Contest
from facedown.ggp.messages import Play, Start, parse
from facedown.ggp.record import log_of, record_of, spec_of
from facedown.ggp.referee import Referee, Report, Setting
from facedown.ggp.scramble import Scrambling
from support.stand_ins import stand_in

SETTING = Setting(start_clock=20, play_clock=20, seed=3)


class Anything:
    """A player of moves that are legal by a clerk, any of them."""

    def __init__(self, seed: int) -> None:
        self.clerk, self.stream, self.rules = Clerk("", seed), Stream(seed), ""

    def __call__(self, text: str) -> str:
        message = parse(text)
        if isinstance(message, Start):
            self.clerk.start(message, 10)
            self.steps, self.rules = [], message.rules
            return "ready"
        if not isinstance(message, Play):
            return "done"
        told = message.told if self.steps else None
        move = self.stream.choice(self.clerk.legal(self.steps, told, monotonic() + 10))
        self.steps.append((told, move))
        return move


@pytest.fixture
def players():
    """Where three players are."""
    with ExitStack() as stack:
        yield [stack.enter_context(stand_in(Anything(seed)))[0] for seed in (1, 2, 3)]


@pytest.mark.parametrize("name", ["small-poker", "goofspiel-5", "monty-hall", "hex-5x5"])
@pytest.mark.parametrize("scramble", [False, True])
def test_a_log_replays_as_a_game_to_the_same_end(name, scramble, players, tmp_path) -> None:
    """By turns, at once, with chance, and for one; a log has the words of the file."""
    setting = Setting(start_clock=20, play_clock=20, seed=3, scramble=scramble)
    seats = 1 if name == "monty-hall" else 2
    report = Referee(find(name), players[:seats], setting).play()
    assert all(report.faults(role) == {} for role in report.players)
    log = tmp_path / "match.json"
    log.write_text(json.dumps(report.to_json(), indent=1))
    assert log_of(log) == report
    record = record_of(report)
    assert record.game == name
    assert replay(record).payoff() == [float(goal) for goal in report.goals.values()]


def test_the_log_is_shown_by_the_command(players, tmp_path, capsys) -> None:
    log = str(tmp_path / "match.json")
    words = ["ggp", "referee", "tic-tac-toe", "--players", players[0], players[1], "--seed", "3"]
    assert main([*words, "--log", log, "--watch", "--scramble"]) == 0
    said = capsys.readouterr().err
    assert "step 1: xplayer place" in said  # the truth, in the words of the file, on a board
    assert said.count("\n  1  ") >= 5
    assert main(["replay", log]) == 0
    shown = capsys.readouterr().out
    assert "1 game replayed to the recorded end" in shown
    plain = json.loads((tmp_path / "match.json").read_text())
    plain["steps"][0]["moves"]["xplayer"] = "(place 9 9)"
    (tmp_path / "wrong.json").write_text(json.dumps(plain))
    assert main(["replay", str(tmp_path / "wrong.json")]) == 2
    assert "place 9 9" in capsys.readouterr().err
    (tmp_path / "half.json").write_text(json.dumps({**plain, "goals": {}}))
    assert main(["replay", str(tmp_path / "half.json")]) == 2
    assert "did not come to its end" in capsys.readouterr().err
    (tmp_path / "odd.json").write_text(json.dumps({**plain, "steps": [1]}))
    assert main(["replay", str(tmp_path / "odd.json")]) == 2
    assert "lacks what it should have" in capsys.readouterr().err


def test_scrambled_rules_have_no_word_of_the_file() -> None:
    player = Anything(1)
    with stand_in(player) as (x, _), stand_in(Anything(2)) as (o, _):
        setting = Setting(start_clock=20, play_clock=20, seed=3, scramble=True)
        report = Referee(find("tic-tac-toe"), [x, o], setting).play()
    assert report.faults("xplayer") == {}
    words = set(player.rules.replace("(", " ").replace(")", " ").split())
    assert not words & {"xplayer", "oplayer", "place", "control", "noop", "marked", "line"}
    assert {"role", "init", "terminal", "100", "1", "2", "3"} <= words


def test_scrambling_and_back() -> None:
    names = Scrambling("(role white) (legal white (move 1 ?x)) (goal white 100) random", 5)
    term = Compound("move", ("1", "white"))
    there = names.there(term)
    assert there != term
    assert names.back(there) == term
    assert names.back(Compound("move", ("1",))) == Compound("move", ("1",))  # a word never sent
    assert "random" in names.rules("(role white) random")
    assert "?x" in names.rules("(legal white (move 1 ?x))")
    assert names.rules("white") != Scrambling("(role white)", 6).rules("white")


def test_no_name_is_scrambled_into_a_word_of_the_language() -> None:
    """`base` and `role` are among the words that nobody has heard before."""
    names = [f"name{k}" for k in range(4_000)]
    words = Scrambling(" ".join(names), 1).rules(" ".join(names)).split()
    assert len(set(words)) == len(names)
    assert not set(words) & {"base", "role"}


def test_a_tournament_goes_on_where_it_stopped(players, tmp_path, capsys) -> None:
    """Three players over two files for two and one for one: 2 * 6 + 3 matches, each logged."""
    files = [find(name) for name in ("nim", "goofspiel-5", "monty-hall")]
    contest = Contest(files, players, SETTING, logs=tmp_path)
    played: list[str] = []

    def tell(one, report: Report) -> None:
        played.append(one.log)
        if len(played) == 7:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        contest.play(tell)
    assert len(list(tmp_path.iterdir())) == 7
    before = {path.name: path.read_text() for path in tmp_path.iterdir()}
    again = Contest(files, players, SETTING, logs=tmp_path)
    standings = again.play()
    logs = {path.name: path.read_text() for path in tmp_path.iterdir()}
    assert len(logs) == len(again.encounters) == 15
    assert before.items() <= logs.items()
    assert [one.matches for one in standings] == [9, 9, 9]
    assert all(set(one.goals) == {"nim", "goofspiel-5", "monty-hall"} for one in standings)
    rated = [one.rating for one in standings]
    assert rated == sorted(rated, key=lambda one: -one.rating)
    assert all(one.low < one.rating < one.high and one.games == 8 for one in rated)
    assert sum(one.share for one in rated) == pytest.approx(1.5)
    assert len({report.seed for report in again.reports.values()}) == 9  # all seats of a deal alike
    with pytest.raises(SpecError, match="is of another tournament"):
        Contest(files, players[::-1], SETTING, logs=tmp_path).play()


def test_the_command_of_tournaments(players, tmp_path, capsys) -> None:
    named = [word for url in players[:2] for word in ("--players", url)]
    assert main(["ggp", "tournament", "nim", "chomp", *named, "--rounds", "2", "--seed", "4"]) == 0
    shown, said = capsys.readouterr()
    assert all(word in shown for word in ("nim", "chomp", "rating", *players[:2]))
    assert "8 of 8: chomp" in said


@pytest.mark.parametrize(
    ("words", "wrong"),
    [
        (["nim", "--players", "localhost:1"], "nim.kif is for 2 players; 1 are given"),
        (["nim", "--players", "a:1", "--players", "a:1"], "a player is named twice"),
        (["nim", "--players", "a:1", "--players", "b:1", "--rounds", "0"], "at least 1 is wanted"),
        (["nothing", "--players", "a:1"], "no rule file 'nothing'"),
    ],
)
def test_tournaments_that_cannot_be(words, wrong, capsys) -> None:
    assert main(["ggp", "tournament", *words]) == 2
    assert wrong in capsys.readouterr().err


def test_files_of_ones_own_are_named_by_their_path(tmp_path) -> None:
    own = tmp_path / "nim.kif"
    own.write_text(find("nim").read_text())
    assert (spec_of(find("nim")), spec_of(own)) == ("nim", f"gdl:{own}")
    assert log_of(own) is None
    assert log_of(tmp_path) is None
