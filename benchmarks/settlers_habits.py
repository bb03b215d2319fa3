"""How well a seat can tell what others chose between: `python benchmarks/settlers_habits.py [N]`.

In N games of four scripted players one of them watches, and at its own decisions draws worlds from
its factored belief, as `pomcp` does. Of the others' decisions among several kinds: how likely it
holds the true set of legal kinds to be, and the true kind; how likely the next choice was held by
the preferences that come with the game, and by those adapted to each opponent (log scores), for
several strengths of the prior.
"""

from __future__ import annotations

import math
import statistics
import sys
import time

from facedown.agents.registry import make_agent
from facedown.agents.thinking import Searcher
from facedown.core import CHANCE, NOTHING, PUBLIC, Position, Stream, derive
from facedown.games.registry import load_game
from facedown.search.habits import Habit
from facedown.search.preferences import load_preferences

WATCHER = 0
STRENGTHS = (3.0, 10.0, 30.0, 100.0)


def share(habit: Habit, legal: int, kind: int) -> float:
    """How likely a kind is under a set, by an opponent's policy."""
    row = habit.shares[habit.place(legal)] if habit.sets[habit.place(legal)] else habit.shares[-1]
    there = [k for k in range(len(row)) if legal >> k & 1]
    return float(row[kind] / sum(row[k] for k in there))


class Watched:
    """What came out so far."""

    def __init__(self) -> None:
        self.sets: list[float] = []
        self.prior: list[float] = []
        self.adapted: dict[float, list[float]] = {one: [] for one in STRENGTHS}
        self.seconds = 0.0


def play(seed: int, opponent: str, found: Watched) -> None:
    """A game of three opponents and a watcher, who is scripted too."""
    game = load_game("settlers")
    known = load_preferences(game.preferences, game.kind_names)
    agents = {
        one: make_agent(f"pomcp-ts-cr:adapting={one},iterations=50", game, WATCHER, seed)
        for one in STRENGTHS
    }
    others = {p: make_agent(opponent, game, p, derive(seed, p)) for p in range(1, 4)}
    own = make_agent("scripted", game, WATCHER, seed)
    position, stream = game.start(), Stream(derive(seed, "chance"))
    while not position.over:
        turn, legal = position.turn(), position.choices()
        if turn == CHANCE:
            move = position.draw(stream)
        else:
            player = own if turn == WATCHER else others[turn]
            move = player.choose(position.view(turn), legal) if len(legal) > 1 else legal[0]
        watch(agents, position, turn, move, known, found)
        for p, agent in others.items():
            tell(agent, position, move, p)
        position.apply(move)


def watch(
    agents: dict[float, Searcher],
    position: Position,
    turn: int,
    move: int,
    known: object,
    found: Watched,
) -> None:
    """Score a decision of another's before it is told, and tell it."""
    bits = position.kind_bits() if turn != CHANCE else 0
    several = turn not in (CHANCE, WATCHER) and bits & (bits - 1)
    for one, agent in agents.items():
        if turn == WATCHER and len(position.legal()) > 1:
            agent.start_search(position.view(WATCHER), position.legal())
        if several:
            kind = position.kind(move)
            habit = agent.habits.of(turn, "conditioned")
            found.adapted[one].append(math.log(share(habit, bits, kind)))
            if one == STRENGTHS[0]:
                found.prior.append(math.log(known.conditioned(bits)[kind]))
                before = habit.counts.get(bits, [0.0])
                before = float(sum(before))
        began = time.process_time()
        tell(agent, position, move, WATCHER)
        found.seconds += time.process_time() - began
        if several and one == STRENGTHS[0]:
            after = float(sum(habit.counts.get(bits, [0.0])))
            found.sets.append(after - before)


def tell(agent: object, position: Position, move: int, player: int) -> None:
    """What a player is told of a move."""
    token, public = position.sees(move, player), position.sees(move, PUBLIC)
    if token != NOTHING:
        agent.observe(token, "")
    if public != NOTHING:
        agent.overhear(public)


def main() -> None:
    games = int(sys.argv[1]) if len(sys.argv) > 1 else 5
    opponent = sys.argv[2] if len(sys.argv) > 2 else "scripted"
    found = Watched()
    for seed in range(games):
        play(seed, opponent, found)
    decisions = len(found.prior)
    print(f"{games} games, opponents {opponent}, {decisions} decisions among several kinds")
    print(f"the true set of kinds was held for {statistics.mean(found.sets):.1%} likely")
    print(f"log score of the kind: by the preferences {statistics.mean(found.prior):.4f}")
    for one, scores in found.adapted.items():
        print(f"  adapted, strength {one:g}: {statistics.mean(scores):.4f}")
    cost = found.seconds / games / len(STRENGTHS)
    print(f"{cost:.2f} s of CPU time a game for following")


if __name__ == "__main__":
    main()
