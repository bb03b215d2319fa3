"""How well hands are foreseen in Settlers: `python benchmarks/settlers_belief.py [RECORDS...]`.

Log scores of the true hands of the three others, in nats a hand, as one seat sees them at its
decisions: by the factored belief; by the bounds of the memo, all hands within them as likely; and
by the worlds that `determinize` draws from those bounds. Then how far the belief is from the exact
one, by enumeration of all hands together, while there are few: the total variation between
distributions of one hand, and what taking hands as independent costs the joint log score. Games
are those of the records, or, without any, games by kinds of moves, all as likely. CPU time of
making the worlds of a decision comes last.
"""

from __future__ import annotations

import math
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))

from facedown.arena.replay import replay
from facedown.belief.belief import Wanted
from facedown.belief.sources import Means, make_belief
from facedown.core import CHANCE, PUBLIC, Game, Memos, Position, Stream, derive
from facedown.games.registry import load_game
from facedown.games.settlers.memory import possible_hands
from facedown.games.settlers.state import unpack
from facedown.store.records import GameRecord, read_records
from support.settlers_joint import JointBelief, apart

GAMES, VIEWER, EVERY, DRAWS = 20, 0, 10, 400
MOST_CASES = 4000  # of all hands together, beyond which nothing is enumerated

Ply = tuple[int, Position]


def random_game(game: Game, seed: int) -> Iterator[Ply]:
    """Each move with the position before it: a kind first, all as likely."""
    position, stream = game.start(), Stream(derive(seed, "random"))
    while not position.over:
        if position.turn() == CHANCE:
            move = position.draw(stream)
        else:
            move = stream.choice(position.of_kind(stream.choice(position.kinds())))
        yield move, position
        position.apply(move)


def recorded_game(game: Game, record: GameRecord) -> Iterator[Ply]:
    replay(record, game)
    position = game.start()
    for one in record.moves:
        yield one.move, position
        position.apply(one.move)


class Scores:
    """What came out, by name."""

    def __init__(self) -> None:
        self.of: dict[str, list[float]] = {}

    def add(self, name: str, value: float) -> None:
        self.of.setdefault(name, []).append(value)

    def line(self, name: str, unit: str) -> str:
        values = np.array(self.of[name])
        error = 1.96 * values.std(ddof=1) / math.sqrt(len(values))
        return f"{name:<58} {values.mean():+.3f} ± {error:.3f} {unit} (n = {len(values):,})"


def look_on(game: Game, plies: Iterator[Ply], scores: Scores) -> None:
    """Follow one game from one seat."""
    belief = make_belief(game, ("factored",), VIEWER, 1, Means(draws=DRAWS))
    memos, exact, asked = Memos(game, VIEWER), JointBelief(VIEWER), 0
    small = True
    for move, position in plies:
        if position.turn() == VIEWER:
            asked += 1
            if asked % EVERY == 0:
                score(position, belief, memos, scores)
                if small:
                    compare(position, belief, exact, scores)
        token = position.sees(move, VIEWER)
        belief.observe(token)
        memos.observe(token)
        memos.overhear(position.sees(move, PUBLIC))
        if small:
            exact.observe(token)
            small = len(exact.shares) <= MOST_CASES


def score(position: Position, belief: object, memos: Memos, scores: Scores) -> None:
    """Log scores of the three true hands; those that are certain by the bounds are left out."""
    view, wanted = position.view(VIEWER), Wanted(Stream(7), DRAWS, memos=memos)
    began = time.process_time()
    belief.worlds(view, wanted)
    scores.add("worlds", 1000 * (time.process_time() - began))
    dealt = make_belief(position.game, ("determinize",), VIEWER, 1)
    worlds = dealt.worlds(view, Wanted(Stream(7), DRAWS, memos=memos))
    drawn = [worlds.position(k).record["hands"] for k in range(DRAWS)]
    memo = memos.of(VIEWER).record
    for player in range(1, 4):
        hand, ways = unpack(position.record["hands"][player]), possible_hands(memo, player)
        if ways == 1:
            continue
        known = belief.knowledge.hands[player]
        scores.add("the factored belief", math.log(known.share(hand)))
        scores.add("all within the bounds as likely", -math.log(ways))
        met = Counter(int(one[player]) for one in drawn)[int(position.record["hands"][player])]
        share = (met + 1 / ways) / (DRAWS + 1)  # a hand that was not drawn is not impossible
        scores.add("as worlds are dealt from the bounds", math.log(share))


def compare(position: Position, belief: object, exact: JointBelief, scores: Scores) -> None:
    """The factored belief beside the enumeration, where anything is in doubt."""
    if len(exact.shares) == 1:
        return
    hands, together = belief.knowledge.hands, 0.0
    for player in range(1, 4):
        scores.add("apart", apart(exact.marginal(player), hands[player].to_dict()))
        together += math.log(hands[player].share(unpack(position.record["hands"][player])))
    truth = tuple(tuple(unpack(hand)) for hand in position.record["hands"])
    scores.add("joint, exact", math.log(exact.shares[truth]))
    scores.add("joint, factored", together)


def main() -> None:
    game, scores, games = load_game("settlers"), Scores(), 0
    for file in sys.argv[1:]:
        for record in read_records(file):
            look_on(game, recorded_game(game, record), scores)
            games += 1
    if not games:
        for seed in range(GAMES):
            look_on(game, random_game(game, seed), scores)
        games = GAMES
    print(f"{games} games, seat {VIEWER}, every {EVERY}th of its decisions")
    print("log score of a hand that the bounds leave in doubt:")
    for name in (
        "the factored belief",
        "all within the bounds as likely",
        "as worlds are dealt from the bounds",
    ):
        print(" ", scores.line(name, "nats"))
    print(f"against all hands together, enumerated while there are at most {MOST_CASES:,} cases:")
    far = np.array(scores.of["apart"])
    print(f"  total variation of a hand: mean {far.mean():.4f}, largest {far.max():.3f}")
    print(f"  {scores.line('joint, exact', 'nats')}")
    print(f"  {scores.line('joint, factored', 'nats')}")
    cost = np.median(scores.of["worlds"])
    print(f"{DRAWS} worlds of the factored belief: {cost:.1f} ms of CPU time (median)")


if __name__ == "__main__":
    main()
