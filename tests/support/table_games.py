"""What the tests of the search share: roots to search from, plain games with every rule."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest

from facedown.belief.pool import Pool
from facedown.core import Game, Position, Stream
from facedown.core.plain import adapt
from facedown.core.specs import load_module
from facedown.games.registry import load_game
from facedown.search.budget import Budget
from facedown.search.recipe import Recipe
from facedown.search.search import Search
from support import EXAMPLES, SUPPORT

FUSION, PENNIES = (f"{SUPPORT / 'tiny.py'}:{name}" for name in ("StrategyFusion", "Pennies"))
MOLES = f"{SUPPORT / 'hidden_roles.py'}:Moles"
PlainKuhn: Any = load_module(EXAMPLES / "kuhn.py").Kuhn


class BucketKuhn(PlainKuhn):
    """Kuhn poker whose bucket knows a king from the rest, and what has been played."""

    def bucket(self, s: Any, viewer: int) -> Any:
        return (s[viewer] == "K", s[2])


class KnowingKuhn(BucketKuhn):
    """Kuhn poker with a policy for playouts, a prior, and a horizon after the first bet."""

    horizon_bounds = (-3.0, 3.0)

    def playout(self, s: Any, stream: Stream) -> str:
        return "bet" if s[len(s[2]) % 2] == "K" or stream.random() < 0.25 else "pass"

    def prior(self, s: Any, moves: list[str]) -> list[float]:
        return [3.0 if move == "bet" else 1.0 for move in moves]

    def horizon(self, s: Any) -> tuple[float, float] | None:
        if s[2] != "b":
            return None
        edge = "JQK".index(s[0]) - "JQK".index(s[1])
        return (1.5 * edge, -1.5 * edge)


class Dice:
    """One player bets on a loaded die (weights 1, 2, 5) that is rolled and shown afterwards."""

    players, bounds = 1, (0.0, 1.0)
    moves, most_moves, most_plies = 6, 3, 2

    def start(self) -> tuple[str, ...]:
        return ()

    def turn(self, s: tuple[str, ...]) -> int:
        return (0, -1, -2)[len(s)]

    def legal(self, s: tuple[str, ...]) -> list[str]:
        return [f"{'roll' if s else 'bet on'} {face}" for face in (1, 2, 3)]

    def weights(self, s: tuple[str, ...]) -> list[float]:
        return [1.0, 2.0, 5.0]

    def apply(self, s: tuple[str, ...], move: str) -> tuple[str, ...]:
        return (*s, move)

    def sees(self, s: tuple[str, ...], move: str, viewer: int) -> str:
        return move

    def payoff(self, s: tuple[str, ...]) -> list[float]:
        return [float(s[0][-1] == s[1][-1])]

    def hide(self, s: tuple[str, ...], viewer: int) -> None:
        return None

    def infoset(self, s: tuple[str, ...], viewer: int) -> tuple[str, ...]:
        return s

    def determinize(self, s: tuple[str, ...], viewer: int, stream: Stream) -> None:
        return None

    def copy(self, s: tuple[str, ...]) -> tuple[str, ...]:
        return s


OWN = {made.__name__: made for made in (BucketKuhn, KnowingKuhn, Dice)}


def fresh(spec: str) -> Game:
    """A game by its spec, or one of the classes above by its name; a new one at every call."""
    return adapt(OWN[spec](), spec) if spec in OWN else load_game(spec)


@cache
def game(spec: str) -> Game:
    """The same, loaded once."""
    return fresh(spec)


def after(g: Game, *moves: str) -> Position:
    """The position after the moves, given as text; each must be legal."""
    position = g.start()
    for move in moves:
        position.apply(g.parse_move(move, position.legal()))
    return position


CRIBBAGE_HANDS = ("5h", "6c", "7d", "Jc", "Jd", "2s", "3h", "9c", "8d", "Kc", "Ad", "4s")
CRIBBAGE_DEAL = tuple(f"deal {card}" for card in CRIBBAGE_HANDS)
CHEAT_HANDS = ("2", "A", "2", "4", "4", "4", "5", "6", "9", "8", "J", "9", "J", "T", "K", "Q")
CHEAT_CLAIM = (
    *("player 0 begins", *(f"deal {rank}" for rank in CHEAT_HANDS), "turn up 3"),
    *("lie higher 1", "lay 9"),
)
ROOTS: dict[str, tuple[str, tuple[str, ...], int]] = {
    "kuhn": ("kuhn", ("deal Q", "deal J"), 0),
    "kuhn second": ("kuhn", ("deal Q", "deal J", "pass"), 1),
    "leduc": ("leduc", ("deal Q", "deal K"), 0),
    "leduc raised": ("leduc", ("deal J", "deal J", "call", "raise", "call", "deal K", "call"), 1),
    "dice": ("liars-dice:faces=3", ("roll 2", "roll 1"), 0),
    "many dice": ("liars-dice:dice=2,faces=3,players=3", ("roll 1",) * 6, 0),
    "fusion": (FUSION, ("toss heads",), 0),
    "pennies": (PENNIES, ("tails",), 1),
    "buckets": ("BucketKuhn", ("deal K", "deal Q"), 0),
    "knowing": ("KnowingKuhn", ("deal Q", "deal K"), 0),
    "loaded": ("Dice", (), 0),
    "cribbage": ("cribbage", CRIBBAGE_DEAL, 1),
    "cheat": ("cheat", CHEAT_CLAIM, 1),
    "moles": (MOLES, ("deal loyal", "deal mole", "deal loyal", "name 1", "yes"), 1),
}


def root(name: str, g: Game | None = None) -> tuple[Game, Position, int]:
    """A named root: its game, the true position and who searches there."""
    spec, moves, player = ROOTS[name]
    g = g or game(spec)
    return g, after(g, *moves), player


def searched(
    name: str, recipe: Recipe, iterations: int, seed: int = 1, **options: Any
) -> tuple[Search, Position]:
    """A search from a named root that has run, and the true position."""
    search, truth = begun(name, recipe, seed, **options)
    return search.run(Budget(iterations)), truth


def begun(
    name: str, recipe: Recipe, seed: int = 1, pool: Pool | None = None, **options: Any
) -> tuple[Search, Position]:
    """A search from a named root that has not run, and the true position."""
    g, truth, player = root(name, options.pop("game", None))
    cheats = recipe.belief == ("truth",)
    view = truth if cheats else truth.view(player)
    return Search(g, recipe, view, player, truth.legal(), seed, worlds=pool, **options), truth


def tree(search: Search) -> dict[int, tuple[int, dict[int, tuple[int, int, float]]]]:
    """A search's tree by key: visits, and each move's (visits, available, total)."""
    return {
        key: (visits, {move: (v, a, total) for move, v, a, total in edges})
        for key, visits, edges in search.dump()
    }


def same(found: dict[int, Any], wanted: dict[int, Any]) -> None:
    """Hold a tree against another, both by key."""
    assert set(found) == set(wanted)
    for key, (visits, edges) in wanted.items():
        assert found[key][0] == visits
        assert set(found[key][1]) == set(edges)
        for move, (times, available, total) in edges.items():
            assert found[key][1][move][:2] == (times, available)
            assert found[key][1][move][2] == pytest.approx(total, abs=1e-9)


def tallied(search: Search) -> dict[int, int]:
    """All tallies of a search of one thread by their keys."""
    (thread,) = search.threads
    table = thread.tallies.table
    return {int(row["key"]): int(row["count"]) for row in table[table["key"] != 0]}
