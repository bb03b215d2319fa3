"""Large games by the lifted reasoner: chess whole, Chinese checkers, Sudoku, thousands of moves."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from facedown.core import Stream
from facedown.core.plain import adapt
from facedown.gdl import library, program
from facedown.gdl.checks import check_rules, checked
from facedown.gdl.lifted import Lifted
from facedown.gdl.lifted_game import lifted_game
from facedown.gdl.reader import read, read_file
from facedown.gdl.simulate import play
from support.large_rules import CHESS, chess_state, chinese_checkers, discards, sudoku, sums

POSITIONS = {
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -": 20,
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq -": 48,
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - -": 14,
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq -": 6,
    "r2q1rk1/pP1p2pp/Q4n2/bbp1p3/Np6/1B3NBn/pPPP1PPP/R3K2R b KQ -": 6,
    "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ -": 44,
    "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - -": 46,
    "7k/8/8/8/8/8/1r6/K7 w - -": 1,
    "7k/8/8/8/8/1q6/8/K7 w - -": 0,
}
"""Positions that programs of chess are tested by, and how many moves they have."""

AFTER_TWO = {
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - -": 191,
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq -": 264,
}


@pytest.fixture(scope="module")
def chess():
    return Lifted(checked(read_file(CHESS)))


def moves(game, state):
    """The legal moves of who is to move, with the joint moves that they are."""
    white = any(str(fluent) == "(control white)" for fluent in state)
    found = game.legal(state, "white" if white else "black")
    return [[move, "noop"] if white else ["noop", move] for move in found]


@pytest.mark.parametrize("fen", POSITIONS)
def test_chess_has_the_moves_that_it_has(chess, fen):
    assert len(moves(chess, chess_state(fen))) == POSITIONS[fen]


@pytest.mark.parametrize("fen", AFTER_TWO)
def test_chess_goes_on_as_it_does(chess, fen):
    state = chess_state(fen)
    then = [chess.next(state, joint) for joint in moves(chess, state)]
    assert sum(len(moves(chess, each)) for each in then) == AFTER_TWO[fen]


@pytest.mark.parametrize(
    ("fen", "goals"),
    [
        ("7k/8/8/8/8/1q6/8/K7 w - -", None),
        ("7k/8/8/8/8/8/q1r5/K7 w - -", None),
        ("8/8/8/8/8/1k6/1q6/K7 w - -", ["0", "100"]),
        ("7k/8/8/8/8/2q5/8/K7 w - -", None),
        ("7k/8/8/8/8/8/8/K7 w - -", ["50", "50"]),
        ("7k/5Q2/6K1/8/8/8/8/8 b - -", ["50", "50"]),
    ],
)
def test_chess_ends(chess, fen, goals):
    state = chess_state(fen)
    if not moves(chess, state) or goals is not None:
        assert chess.terminal(state)
    if goals is not None:
        assert [chess.goals(state, role) for role in ("white", "black")] == [[g] for g in goals]


def test_castling_moves_the_rook_and_spends_the_right(chess):
    state = chess_state("4k3/8/8/8/8/8/8/R3K2R w KQ -")
    found = {str(joint[0]): joint for joint in moves(chess, state)}
    assert {"(castle long)", "(castle short)"} <= set(found)
    after = {str(fluent) for fluent in chess.next(state, found["(castle long)"])}
    assert {"(at 3 1 white king)", "(at 4 1 white rook)", "(at 8 1 white rook)"} <= after
    assert not [fluent for fluent in after if fluent.startswith(("(may", "(at 5 1", "(at 1 1"))]


@pytest.mark.parametrize(
    ("text", "moves", "steps"),
    [(chinese_checkers(12), 14, 12), (sudoku(), 729, None), (discards(), 4845, 3)],
    ids=["chinese checkers", "sudoku", "cards"],
)
def test_large_files_are_played_to_the_end(text, moves, steps):
    description = checked(read(text))
    assert check_rules(description) == []
    game = adapt(lifted_game(description), "gdl:large")
    position, stream = game.start(), Stream(1)
    while position.turn() < 0:
        position.apply(position.legal()[0])
    assert len(position.legal()) == moves
    if steps:
        while not position.over:
            position.apply(stream.choice(position.legal()))
        assert position.record.step == steps
        assert len(position.payoff()) == game.players


def test_what_is_too_much_to_list_is_asked():
    game = Lifted(checked(read(sums())))
    assert ("least-of", 4) in game.asked
    played = play(game, games=2, seconds=30)
    assert played.faults == []
    assert {str(f) for f in played.fluents if str(f).startswith("(total")} <= {
        f"(total {n})" for n in (0, 3, 7)
    }


def course(game: Lifted, stream: Stream) -> Iterator[object]:
    """All that a reasoner says in a random game, which is the same whatever order it has."""
    state = game.initial()
    while not game.terminal(state):
        legal = [sorted(game.legal(state, role), key=str) for role in game.roles]
        moves = [stream.choice(some) for some in legal]
        yield legal, [sorted(game.sees(state, moves, role), key=str) for role in game.roles]
        state = game.next(state, moves)
    yield [sorted(game.goals(state, role), key=str) for role in game.roles]


@pytest.mark.parametrize("name", ["blind-breakthrough-5x5", "meier", "transit", "mastermind"])
def test_asked_and_listed_come_to_the_same(name, monkeypatch):
    description = read_file(library.find(name))
    told = []
    for most in (10**9, -1):
        monkeypatch.setattr(program, "MAX_DERIVED", most)
        monkeypatch.setattr(program, "MAX_LISTED", most)
        game = Lifted(description)
        assert bool(game.asked) == (most < 0)
        told.append([*course(game, Stream(1)), *course(game, Stream(2))])
    assert told[0] == told[1]
