"""What a seat makes of what a manager tells is what the player would have seen in a match."""

from __future__ import annotations

import pytest

from facedown.arena.clock import Overrun
from facedown.belief import walk
from facedown.belief.belief import NoWorldError
from facedown.core import Game, SpecError
from facedown.core.plain import adapt
from facedown.games.registry import load_game
from facedown.gdl.library import find
from facedown.gdl.lifted_game import lifted_game
from facedown.gdl.load import game_of
from facedown.gdl.reader import read, read_file
from facedown.gdl.syntax import Description
from facedown.ggp.messages import read_term
from facedown.ggp.seat import HiddenSeat, LostError, OpenSeat
from facedown.ggp.vocabulary import vocabulary
from support.ggp_tables import Listener, Table, tell

ODDS = """
(role odd) (role even) (init (left 2)) (finger 1) (finger 2)
(<= (legal ?p (show ?n)) (role ?p) (finger ?n))
(<= (next (left 1)) (true (left 2)))
(<= (next (left 0)) (true (left 1)))
(<= (next (same)) (does odd (show ?n)) (does even (show ?n)))
(<= terminal (true (left 0)))
(<= (goal odd 100) (not (true (same)))) (<= (goal odd 0) (true (same)))
(<= (goal even 100) (true (same))) (<= (goal even 0) (not (true (same))))
"""
"""Both choose at once, and everybody sees it."""

HIDDEN = ["monty-hall", "small-poker", "krieg-tic-tac-toe-3x3", "exploding-bomb", "meier"]


def games(name: str) -> tuple[Description, Game]:
    if name == "odds":
        description = read(ODDS, "odds")
        return description, game_of(description, "gdl:odds")
    lifted = name.removeprefix("lifted ")
    description = read_file(find(lifted))
    if lifted != name:
        return description, adapt(lifted_game(description), f"gdl:{lifted}")
    return description, load_game(name)


@pytest.mark.parametrize(
    "name", [*HIDDEN, "tic-tac-toe", "odds", "lifted small-poker", "lifted tic-tac-toe"]
)
def test_views_moves_and_tokens_are_those_of_a_match(name: str) -> None:
    description, game = games(name)
    for seed in range(2 if name.startswith("lifted") else 4):
        table = Table(game, description, seed)
        seats = {
            role: OpenSeat(words) if description.perfect else HiddenSeat(words, seed)
            for role, words in table.words.items()
        }
        listeners = {r: Listener(game, seat.player, 0) for r, seat in seats.items()}
        while not table.over:
            for role, seat in seats.items():
                sight = seat.sight(10.0)
                view, legal = table.asked(role)
                assert {seat.words.term(move) for move in sight.legal} == set(legal)
                if len(legal) > 1:
                    assert sight.view.digest() == view
                seat.inform(listeners[role])
                assert listeners[role].told == table.heard[role]
            table.step()
            for seat in seats.values():
                if not table.over:
                    tell(seat, table)


def test_a_seat_knows_what_it_was_told_and_no_more() -> None:
    description, game = games("small-poker")
    seat = HiddenSeat(vocabulary(game, description, "first"), seed=5)
    seat.sight(5.0)
    seat.advance("noop", [read_term("(card king)")])
    seat.sight(5.0)
    deals = {game.move_text(moves[0]) for moves in seat.bag.histories()}
    assert deals == {"(deal king queen)", "(deal king jack)"}


def test_a_history_that_is_found_late_is_found_all_the_same() -> None:
    description, game = games("monty-hall")
    seat = HiddenSeat(vocabulary(game, description, "contestant"), seed=5)
    seat.sight(5.0)
    seat.advance(read_term("(pick 1)"), [])
    worlds, seat.bag.held = seat.bag.held, none_found  # type: ignore[method-assign]
    for _ in range(2):
        with pytest.raises(NoWorldError):
            seat.sight(0.0)
    seat.advance("noop", [read_term("(opened 3)")])
    with pytest.raises(NoWorldError):
        seat.sight(0.0)
    seat.bag.held = worlds  # type: ignore[method-assign]
    assert {str(seat.words.term(move)) for move in seat.sight(5.0).legal} == {"noop", "switch"}
    listener = Listener(game, 0, 0)
    seat.inform(listener)
    assert [text for kind, _, text in listener.told if kind == "own"] == [
        "you choose (pick 1)",
        "a step is made",
        "you see (opened 3)",
    ]


@pytest.mark.parametrize("strike", range(4))
def test_a_clock_that_strikes_anywhere_feeds_no_token_twice_and_loses_none(strike) -> None:
    """Before and after each of two tokens that are fed."""
    description, game = games("monty-hall")
    seat = HiddenSeat(vocabulary(game, description, "contestant"), seed=5)
    seat.sight(5.0)
    observe, left = seat.bag.observe, [strike]

    def struck() -> None:
        left[0] -= 1
        if left[0] == -1:
            raise Overrun

    def interrupted(token: int) -> None:
        struck()
        observe(token)
        struck()

    seat.bag.observe = interrupted  # type: ignore[method-assign]
    seat.advance(read_term("(pick 1)"), [])
    with pytest.raises(Overrun):
        seat.sight(5.0)
    assert [str(seat.words.term(move)) for move in seat.sight(5.0).legal] == ["noop"]
    texts = [game.text.observation_text(token, 0) for token in seat.bag.observed]
    assert texts == ["you choose (pick 1)", "a step is made"]


def test_a_clock_that_strikes_in_a_walk_leaves_no_models_behind(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    description, game = games("monty-hall")
    seat = HiddenSeat(vocabulary(game, description, "contestant"), seed=5)
    seat.sight(5.0)
    seat.advance(read_term("(pick 1)"), [])
    with monkeypatch.context() as patch:
        patch.setattr(walk, "update", out_of_time)
        with pytest.raises(Overrun):
            seat.sight(5.0)
    assert [str(seat.words.term(move)) for move in seat.sight(5.0).legal] == ["noop"]


def out_of_time(state: int) -> int:
    raise Overrun


def none_found(seconds: float | None = None) -> None:
    raise NoWorldError("none")


def test_what_cannot_be_is_said() -> None:
    description, game = games("tic-tac-toe")
    words = vocabulary(game, description, "oplayer")
    seat = OpenSeat(words)
    with pytest.raises(LostError, match="xplayer did noop, which is not legal"):
        seat.advance({"xplayer": "noop", "oplayer": "noop"})
    with pytest.raises(SpecError, match="can never do"):
        seat.advance({"xplayer": "fly", "oplayer": "noop"})
    with pytest.raises(SpecError, match="nobody plays 'random' here; roles: xplayer, oplayer"):
        vocabulary(game, description, "random")


def test_a_role_that_cannot_move_is_named_and_others_play_on() -> None:
    rules = "(role a) (role b) (init x) (legal a go) (legal a stay) (<= (legal b go) (true y))"
    rules += "(<= (next y) (true x)) (<= terminal (true z)) (goal a 1) (goal b 1)"
    description = read(rules, "stuck")
    game = game_of(description, "gdl:stuck")
    assert len(OpenSeat(vocabulary(game, description, "a")).sight(5.0).legal) == 2
    with pytest.raises(LostError, match="b has no legal move, and the match goes on"):
        OpenSeat(vocabulary(game, description, "b")).sight(5.0)
