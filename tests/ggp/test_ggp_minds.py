"""Minds and the clock, in this process: agents that fail, minds that are late, stuck or gone."""

from __future__ import annotations

import logging
from time import monotonic
from types import SimpleNamespace
from typing import Any, ClassVar

import pytest

from facedown.agents.registry import make_agent
from facedown.belief.belief import NoWorldError
from facedown.belief.hyperplay import Bag
from facedown.core import FacedownError, SpecError, Stream
from facedown.games.registry import load_game
from facedown.gdl.building import Build
from facedown.gdl.errors import LimitError
from facedown.gdl.library import find
from facedown.gdl.lifted import Lifted
from facedown.gdl.reader import read_file
from facedown.ggp import mind as minds
from facedown.ggp import player as players
from facedown.ggp.clerk import Clerk
from facedown.ggp.messages import Start, Told, read_term
from facedown.ggp.mind import Mind
from facedown.ggp.player import Player, margin
from facedown.ggp.referee import sheet
from facedown.ggp.worker import Answer, GoneError
from support import SUPPORT

FILE = SUPPORT / "ggp_tables.py"
MARKS = {f"(place {x} {y})" for x in (1, 2, 3) for y in (1, 2, 3)}


@pytest.fixture(autouse=True, scope="module")
def _warm() -> None:
    """As a worker does before its first match: on a cold cache clocks would run while compiling."""
    Mind("so-ismcts", seed=1).warm_up()


def rules(name: str) -> str:
    return f"({sheet(find(name), read_file(find(name)))})"


def opened(spec: str, game: str = "tic-tac-toe", role: str = "xplayer") -> tuple[Mind, str]:
    mind = Mind(spec, seed=1)
    start = Start("m", role, rules(game), 60, 60)
    return mind, mind.start(start, 60)


def played(mind: Mind, seconds: float = 20.0) -> tuple[str, str, list[str]]:
    known: list[str] = []
    move, note = mind.play([], None, monotonic() + seconds, known.extend)
    return move, note, known


def test_an_agent_that_never_comes_back_is_interrupted() -> None:
    mind, how = opened(f"{FILE}:Sleeper")
    assert how == "by a rule network"
    move, note, known = played(mind, 0.3)
    assert set(known) == MARKS
    assert move in MARKS
    assert note == "any legal move: no time was left"


def test_of_a_search_that_is_interrupted_the_best_move_so_far_is_played(monkeypatch) -> None:
    monkeypatch.setattr(minds, "READING", 60.0)
    mind, _ = opened(f"{FILE}:Dreamer")
    move, note, known = played(mind, 0.6)
    assert note == "the best move so far: no time was left"
    assert move in known


def test_an_agent_that_plays_what_is_not_legal() -> None:
    mind, _ = opened(f"{FILE}:Crooked")
    move, note, _ = played(mind)
    assert move in MARKS
    assert note == "any legal move: -1 is not legal"


def test_an_agent_that_does_not_fit_the_game_is_stood_in_for() -> None:
    mind, how = opened("person")
    assert how.startswith("by a rule network, by hyperplay: SpecError: ")
    assert played(mind, 2.0)[0] in MARKS


@pytest.mark.parametrize(
    ("game", "role"), [("tic-tac-toe", "xplayer"), ("monty-hall", "contestant")]
)
def test_where_grounding_is_too_slow_the_lifted_reasoner_plays(game, role, monkeypatch) -> None:
    monkeypatch.setattr(minds, "Build", late(10))
    mind, how = opened("random", game, role)
    assert how.startswith("by the lifted reasoner (no rule network after 36.0 s, it goes on)")
    move, note, known = played(mind)
    assert move in known
    assert note == ""


def late(moves: int) -> type[Build]:
    """A network that is ready after so many moves, and not before the match begins."""

    class Late(Build):
        asked = 0

        def wait(self, seconds: float) -> bool:
            return False

        @property
        def done(self) -> bool:
            self.asked += 1
            return self.asked > moves and super().wait(600)

    return Late


@pytest.mark.parametrize(
    ("name", "role", "spec"),
    [
        ("tic-tac-toe", "xplayer", "so-ismcts:iterations=20"),
        ("monty-hall", "contestant", "random"),
        ("krieg-tic-tac-toe-3x3", "oplayer", "hyperplay:models=5,samples=1"),
        ("meier", "second", "so-ismcts:iterations=20,models=5"),
    ],
)
def test_a_match_moves_over_to_its_network_when_that_is_ready(name, role, spec, monkeypatch):
    """What is played before and after is legal, and the manager's own moves are followed."""
    monkeypatch.setattr(minds, "Build", late(2))
    monkeypatch.setattr("facedown.ggp.seat.MODELS", 4)
    description = read_file(find(name))
    truth, stream = Lifted(description), Stream(7)
    role = role if role in description.roles else description.roles[-1]
    mind, how = opened(spec, name, role)
    assert how.startswith("by the lifted reasoner")
    state, told, steps, notes = truth.initial(), None, [], []
    while not truth.terminal(state):
        move, note = mind.play(steps, told, monotonic() + 30, lambda legal: None)
        notes.append(note)
        joint = [stream.choice(truth.legal(state, each)) for each in truth.roles]
        assert read_term(move) in truth.legal(state, role)
        joint[truth.roles.index(role)] = read_term(move)
        steps.append((told, move))
        if description.perfect:
            told = Told(None, None, tuple(joint))
        else:
            told = Told(len(steps), read_term(move), tuple(truth.sees(state, joint, role)))
        state = truth.next(state, joint)
    assert notes[2] == "by a rule network from now on"
    assert [note for k, note in enumerate(notes) if k != 2] == [""] * (len(notes) - 1)


def test_without_a_network_the_match_goes_on_lifted(monkeypatch):
    class Never(late(0)):  # type: ignore[misc]
        def result(self) -> object:
            raise LimitError("rules: no rule network: too much")

    monkeypatch.setattr(minds, "Build", Never)
    mind, _ = opened("random")
    move, note, known = played(mind)
    assert (move in known, note) == (True, "")
    assert played(mind)[0] in MARKS


def test_agents_that_cannot_play_for_a_manager_are_refused_at_once() -> None:
    with pytest.raises(SpecError, match="wants to see what no manager tells"):
        Mind("cheating-uct", 1).warm_up()
    with pytest.raises(SpecError, match="has no scripted player"):
        Mind("scripted", 1).warm_up()


def test_a_seat_has_its_kernels_ready_whatever_the_agent_has(monkeypatch) -> None:
    prepared: list[bool] = []
    monkeypatch.setattr("facedown.belief.hyperplay.prepare", lambda: prepared.append(True))
    Mind("random", 1).warm_up()
    assert prepared


def test_without_a_budget_the_clock_is_the_budget() -> None:
    mind, _ = opened("so-ismcts")
    began = monotonic()
    assert played(mind, 1.0)[0] in MARKS
    assert 0.5 < monotonic() - began < 20
    short, _ = opened("so-ismcts:iterations=20")
    began = monotonic()
    assert played(short, 1000.0)[0] in MARKS
    assert monotonic() - began < 100


def test_clocks_leave_a_margin() -> None:
    for clock in (1, 2, 10, 30, 600):
        assert 0 < margin(clock) < 0.5 * clock
    assert margin(1) >= 0.3


# --- minds that are late, stuck or gone --------------------------------------------------------


class Here:
    """A worker whose mind is in this process, and does as `moods` says, one for each of them."""

    moods: ClassVar[list[str]] = []
    made: ClassVar[list[Here]] = []
    clerk: ClassVar[Here]
    player: ClassVar[Player]
    aborted: ClassVar[str] = ""

    def __init__(self, spec: str, seed: int, mind: str = "") -> None:
        self.told: list[tuple[Any, ...]] = []
        self.last, self.mood = Answer(), ""
        if mind == players.CLERK:
            self.mind: Any = Clerk(spec, seed)
            Here.clerk = self
            return
        self.mind, self.idle = Mind(spec, seed), not Here.made  # others have to warm up first
        self.mood = Here.moods.pop(0) if Here.moods else ""
        Here.made.append(self)

    def tell(self, kind: str, *args: Any, seconds: float = 0.0) -> None:
        self.last = self.ask(kind, *args, deadline=0.0)

    def wait(self, deadline: float) -> Answer:
        return self.last

    def ask(self, kind: str, *args: Any, deadline: float, seconds: float = 0.0) -> Answer:
        self.told.append((kind, *args))
        self.idle = True
        if self.mood == "gone" and kind == "play" and args[0]:
            raise GoneError("it is gone")
        if self.mood.startswith("(ABORT") and kind == "start":
            Here.aborted = Here.player.answer(self.mood)
            raise GoneError("it was ended")
        answer = Answer(True)
        if kind == "play":
            args = (*args, answer.legal.extend)
        try:
            answer.value = getattr(self.mind, kind)(*args)
        except FacedownError as error:
            answer.error = str(error)
        if self.mood == f"late to {kind}":
            self.mood, self.idle = "", False
            return Answer(legal=answer.legal)
        return answer

    def end(self) -> None:
        self.idle = False


@pytest.fixture
def here(monkeypatch: pytest.MonkeyPatch) -> type[Here]:
    monkeypatch.setattr(players, "Worker", Here)
    Here.made = []
    return Here


def begun(moods: list[str], role: str, clock: int = 60) -> Player:
    Here.moods = moods
    player = Here.player = Player("random", seed=1)
    assert player.answer(f"(START m {role} {rules('tic-tac-toe')} 60 {clock})") == "ready"
    return player


def test_another_mind_takes_over_from_one_that_is_gone(here, caplog) -> None:
    player = begun(["gone"], "oplayer")
    assert player.answer("(PLAY m NIL)") == "noop"
    first = player.answer("(PLAY m ((place 2 2) noop))")
    assert "it is gone, a new mind" in caplog.text
    assert first in MARKS - {"(place 2 2)"}
    assert player.answer(f"(PLAY m (noop {first}))") == "noop"
    second = min(MARKS - {"(place 2 2)", first})
    last = player.answer(f"(PLAY m ({second} noop))")
    assert last in MARKS - {"(place 2 2)", first, second}
    assert len(here.made) == 2


def test_a_mind_that_is_late_is_answered_for_and_catches_up(here, caplog) -> None:
    player = begun(["late to play"], "xplayer")
    with caplog.at_level(logging.WARNING, "facedown.ggp"):
        first = player.answer("(PLAY m NIL)")
    assert first in MARKS
    assert "the mind is late" in caplog.text
    assert player.answer(f"(PLAY m ({first} noop))") == "noop"
    other = min(MARKS - {first})
    assert player.answer(f"(PLAY m (noop {other}))") in MARKS - {first, other}
    assert len(here.made) == 1


def test_what_a_message_took_on_its_way_is_time_of_the_clock(here, monkeypatch) -> None:
    """Half of the clock is taken to be left, however long it took."""
    player, waits = begun([], "xplayer", clock=10), []
    ask = Here.ask

    def asked(self: Here, kind: str, *args: Any, deadline: float, seconds: float = 0.0) -> Answer:
        waits.append(deadline - monotonic())
        return ask(self, kind, *args, deadline=deadline, seconds=seconds)

    monkeypatch.setattr(Here, "ask", asked)
    for moves, took in (("NIL", 0.0), ("(NOOP NOOP)", 3.0), ("(NOOP NOOP)", 9.0)):
        waits.clear()
        player.answer(f"(PLAY m {moves})", monotonic() - took)
        assert max(waits) == pytest.approx(max(10 - took, 5) - 1.5 / 2, abs=2)


def test_a_mind_that_is_late_for_the_start_is_asked_all_the_same(here) -> None:
    player = begun(["late to start"], "xplayer", clock=1)
    assert player.answer("(PLAY m NIL)") in MARKS
    assert len(here.made) == 1


@pytest.mark.parametrize(
    ("role", "sheet_of", "why"),
    [
        ("nobody", rules("tic-tac-toe"), "nobody plays 'nobody' here"),
        ("a", "((init b))", "no roles"),
    ],
)
def test_a_match_that_nobody_can_play_is_refused_though_the_mind_is_late(
    here, role, sheet_of, why
) -> None:
    Here.moods = ["late to start"]
    player = Player("random", seed=1)
    said = player.answer(f"(START m {role} {sheet_of} 60 60)")
    assert said.startswith("(error")
    assert why in said
    assert player.answer("(INFO)") == "available"


def test_a_mind_that_misses_its_clock_is_answered_for_by_the_clerk(
    here, caplog, monkeypatch
) -> None:
    """Which knows every step, and not what was legal before; without a clerk nothing is known."""
    player = begun([], "xplayer")
    mind = here.made[0].mind
    play, mind.play = mind.play, lambda *args: ("", "")
    first = player.answer("(PLAY m NIL)")
    assert first in MARKS
    assert "the mind is late; any legal move, as the clerk knows them" in caplog.text
    mind.play = play
    assert player.answer(f"(PLAY m ({first} noop))") == "noop"
    mind.play = lambda *args: ("", "nothing fits")
    other = min(MARKS - {first})
    second = player.answer(f"(PLAY m (noop {other}))")
    assert second in MARKS - {first, other}
    monkeypatch.setattr(here.clerk, "ask", lambda *args, **more: Answer())
    assert player.answer(f"(PLAY m ({second} noop))") == "noop"
    assert "nothing fits; a move that was legal before" in caplog.text


def test_a_new_mind_has_the_start_clock_to_get_ready_and_not_the_play_clock(here) -> None:
    player = begun(["gone"], "oplayer", clock=1)
    player.answer("(PLAY m NIL)")
    player.answer("(PLAY m ((place 2 2) noop))")
    (kind, _, seconds), (other, *_) = here.made[1].told
    assert (kind, seconds, other) == ("start", 60 - margin(60), "play")


def test_a_mind_that_could_not_get_ready_is_replaced(here, caplog) -> None:
    player = begun([], "xplayer")
    here.made[0].mind.stop()
    assert player.answer("(PLAY m NIL)") in MARKS
    assert "no match has begun, a new mind" in caplog.text
    assert len(here.made) == 2


def test_a_mind_that_fails_at_a_move_misses_no_step(here, caplog) -> None:
    player = begun([], "xplayer")
    mind = here.made[0].mind
    play, mind.play = mind.play, failed
    assert player.answer("(PLAY m NIL)") in MARKS
    assert "match m: it does not work" in caplog.text
    mind.play = play
    assert player.answer("(PLAY m ((place 1 1) noop))") == "noop"
    assert player.answer("(PLAY m (noop (place 2 2)))") in MARKS - {"(place 1 1)", "(place 2 2)"}


def failed(*args: Any) -> tuple[str, str]:
    raise SpecError("it does not work")


@pytest.mark.parametrize("turns", [(0, 2, 3), (1, 5, 6), (4, 5, 3, 4)])
def test_turns_that_do_not_follow_each_other_lose_the_match(turns, here, caplog) -> None:
    player = begun([], "xplayer")
    *before, last, after = turns
    answers = [player.answer(f"(PLAY m {turn} noop ((place 1 1) noop))") for turn in before]
    assert (answers[0] in MARKS, caplog.text) == (True, "")
    guess = player.answer(f"(PLAY m {last} noop (noop noop))")
    assert f"turn {last} was told where {before[-1] + 1} is next" in caplog.text
    assert guess == player.answer(f"(PLAY m {last} noop (noop noop))")
    assert player.answer(f"(PLAY m {after} noop (noop noop))") in MARKS | {"noop"}
    assert caplog.text.count("the match is lost") == 2
    assert player.answer("(STOP m NIL)") == "done"


def test_an_abort_while_a_match_begins_ends_one_mind(here) -> None:
    here.moods = ["(ABORT m)"]
    player = here.player = Player("random", seed=1)
    assert player.answer(f"(START m xplayer {rules('tic-tac-toe')} 60 60)") == "aborted"
    assert (here.aborted, len(here.made)) == ("aborted", 2)
    assert player.answer("(INFO)") == "available"


def test_previews_wait_for_the_end_of_a_match_and_take_bounded_time(here) -> None:
    preview = f"(PREVIEW {rules('tic-tac-toe')} 2)"
    player = begun(["late to preview"], "xplayer")
    assert player.answer(preview) == "busy"
    player.answer("(STOP m NIL)")
    assert player.answer(preview) == '(error "the rules are not read after 2.0 s")'
    assert player.answer(preview) == "ready"
    assert here.made[0].told[-1][2] == 2 - margin(2)
    with pytest.raises(SpecError, match="cannot be read in"):
        Mind("random", 1).preview(rules("breakthrough"), 1e-6)


def test_who_waits_for_a_move_of_a_match_that_is_aborted_does_not_ask_the_mind(
    here, monkeypatch
) -> None:
    player, told = begun([], "xplayer"), len(here.made[0].told)

    def acquire(timeout: float) -> bool:
        player.answer("(ABORT m)")
        return True

    monkeypatch.setattr(player, "thinking", SimpleNamespace(acquire=acquire, release=lambda: None))
    monkeypatch.setattr(player, "rests", lambda: True)
    assert player.answer("(PLAY m NIL)") == "aborted"
    assert len(here.made[0].told) == told


def test_a_start_that_has_to_wait_too_long_is_answered_in_time(here, monkeypatch) -> None:
    here.moods = []
    player, waited = Player("random", seed=1), []
    taken = SimpleNamespace(acquire=lambda timeout: waited.append(timeout))  # and never got
    monkeypatch.setattr(player, "thinking", taken)
    assert player.answer(f"(START m xplayer {rules('tic-tac-toe')} 3 3)") == "busy"
    assert 0 < waited[-1] <= 3 - margin(3)
    monkeypatch.undo()
    assert player.answer("(INFO)") == "available"


def test_a_match_that_nobody_goes_on_with_is_given_up(here, monkeypatch) -> None:
    player = begun([], "xplayer")
    other = f"(START n xplayer {rules('tic-tac-toe')} 60 60)"
    assert player.answer(other.replace(" n ", " m ")) == "busy"  # it is not thrown away
    assert player.answer("(PLAY m NIL)") in MARKS
    assert player.answer(other) == "busy"
    monkeypatch.setattr(players, "FORGOTTEN", -1000.0)
    assert player.answer("(INFO)") == "available"
    assert player.answer(other) == "ready"
    assert player.answer("(PLAY m NIL)") == "busy"


def test_gdl_told_in_the_dialect_of_gdl_ii() -> None:
    """Joint moves as percepts, or in the order of the roles."""
    for percepts in (
        [read_term("(did oplayer noop)"), read_term("(did xplayer (place 1 1))")],
        [read_term("(place 1 1)"), "noop"],
    ):
        mind, _ = opened("random", role="oplayer")
        told = Told(1, "noop", tuple(percepts))
        move, note = mind.play([(None, "noop")], told, monotonic() + 20, lambda legal: None)
        assert (move in MARKS - {"(place 1 1)"}, note) == (True, "")
    move, note = mind.play([(None, "noop")] * 2, Told(2, "noop", ()), monotonic() + 20, print)
    assert "0 moves told, of 2 roles" in note


@pytest.mark.parametrize(
    ("spec", "iterations", "seconds"),
    [
        ("so-ismcts", None, 0.1),
        ("so-ismcts:iterations=7", 7, 0.1),
        ("so-ismcts:seconds=0.05", None, 0.05),
        ("so-ismcts:seconds=60,iterations=7", 7, 0.1),
        ("hyperplay:models=5", None, 0.1),
        ("hyperplay:models=5,samples=2", 5 * 2 * 3, 0.1),
        ("general", None, 0.1),
    ],
)
def test_what_agents_make_of_a_clock(spec, iterations, seconds) -> None:
    game = load_game("monty-hall")
    agent = make_agent(spec, game, 0, seed=1)
    position = game.start()
    agent.allow(0.1)
    assert agent.choose(position.view(0), position.legal()) in position.legal()
    thinks = getattr(agent, "inner", agent)
    assert (thinks.budget.iterations, thinks.budget.seconds) == (iterations, seconds)


@pytest.mark.parametrize(
    ("name", "role"), [("krieg-tic-tac-toe-3x3", "xplayer"), ("meier", "first")]
)
def test_a_bag_that_has_lost_track_still_plays_what_is_legal(name, role, monkeypatch) -> None:
    """No model is ever found after the first move; what was legal then mostly is not any more."""
    description = read_file(find(name))
    truth, stream = Lifted(description), Stream(3)
    role = role if role in description.roles else description.roles[-1]
    mind, _ = opened("hyperplay:models=5,samples=1", name, role)
    state, told, steps, legal = truth.initial(), None, [], []
    real = Bag.held
    monkeypatch.setattr(Bag, "held", lambda bag, *args: lost(bag) if steps else real(bag, *args))
    while not truth.terminal(state) and len(steps) < 3:
        move, note = mind.play(steps, told, monotonic() + 4, lambda known: None)
        assert ("NoWorldError" in note) == bool(steps)
        legal.append(read_term(move) in truth.legal(state, role))
        joint = [stream.choice(truth.legal(state, each)) for each in truth.roles]
        own = read_term(move) if legal[-1] else joint[truth.roles.index(role)]
        joint[truth.roles.index(role)] = own
        steps.append((told, move))
        told = Told(len(steps), own, tuple(truth.sees(state, joint, role)))
        state = truth.next(state, joint)
    assert sum(legal) >= len(legal) - 1  # which moves others made is not known


def lost(bag: Bag) -> object:
    raise NoWorldError("for the test")
