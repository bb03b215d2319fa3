"""Online outcome sampling in plain Python, as the paper tells it: an oracle.

Written after Lisý, Lanctot and Bowling (2015), Algorithm 1, with information set targeting: a
recursion that carries pi_i, pi_-i, s1 and s2 and gives back (x, l, u). Keys are tuples. It asks its
dice for the same things in the same order as the kernel asks the stream; other dice enumerate all
that can be drawn, so that expectations are exact.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from facedown.core import CHANCE, OVER, Game, Position, Stream
from facedown.core.streams import mixed, tagged
from support.naive import weighted

Key = tuple[int, tuple[int, ...]]  # who acts, and what that player has seen
Seen = tuple[tuple[int, ...], ...]  # by each player
Sums = dict[tuple[Key, int], float]  # by key and move


class Rolled:
    """Dice that ask a stream."""

    def __init__(self, stream: Stream) -> None:
        self.stream = stream

    def coin(self, chance: float) -> bool:
        return self.stream.random() < chance

    def pick(self, weights: Sequence[float]) -> int:
        return weighted(self.stream, weights)

    def below(self, n: int) -> int:
        return self.stream.below(n)


class Counted:
    """Dice that come up as told, and with the first possible face beyond that."""

    def __init__(self, told: Sequence[int]) -> None:
        self.told, self.faces, self.chance = list(told), list[int](), 1.0
        self.others: list[list[int]] = []  # what to tell the next ones

    def pick(self, weights: Sequence[float]) -> int:
        possible = [k for k, weight in enumerate(weights) if weight > 0]
        if len(self.faces) < len(self.told):
            face = self.told[len(self.faces)]
        else:
            face = possible[0]
            self.others += [[*self.faces, other] for other in possible[1:]]
        self.faces.append(face)
        self.chance *= weights[face] / sum(weights)
        return face

    def coin(self, chance: float) -> bool:
        return self.pick([chance, 1 - chance]) == 0

    def below(self, n: int) -> int:
        return self.pick([1.0] * n)


@dataclass
class Found:
    """What one iteration adds."""

    fresh: list[tuple[Key, tuple[int, ...]]] = field(default_factory=list)
    visited: list[Key] = field(default_factory=list)
    regrets: Sums = field(default_factory=lambda: defaultdict(float))
    averages: Sums = field(default_factory=lambda: defaultdict(float))
    dead_end: bool = False


class NaiveOutcome:
    """Outcome sampling of one thread; `player` -1 aims at nothing."""

    def __init__(
        self, game: Game, player: int, observed: Sequence[int], epsilon: float, delta: float
    ) -> None:
        self.game, self.me, self.observed = game, player, tuple(observed)
        self.epsilon, self.delta = epsilon, delta
        self.middle = sum(game.bounds) / 2
        self.nodes: dict[Key, tuple[int, ...]] = {}  # the legal moves
        self.visits: dict[Key, int] = defaultdict(int)
        self.regrets: Sums = defaultdict(float)
        self.averages: Sums = defaultdict(float)
        self.iterations = self.dead_ends = 0

    def run(self, iterations: int, stream: Stream) -> NaiveOutcome:
        dice = Rolled(stream)
        for _ in range(iterations):
            found = self.iterate(dice, self.iterations % max(self.game.players, 2))
            self.iterations += 1
            self.nodes.update(found.fresh)
            self.dead_ends += found.dead_end
            for key in found.visited:
                self.visits[key] += 1
            for sums, more in ((self.regrets, found.regrets), (self.averages, found.averages)):
                for place, amount in more.items():
                    sums[place] += amount
        return self

    def expected(self, updated: int) -> tuple[Sums, Sums, float]:
        """What an iteration adds to regrets and averages on average; how likely a dead end is."""
        regrets, averages, dead = defaultdict(float), defaultdict(float), 0.0
        for chance, found in self.outcomes(updated):
            dead += chance * found.dead_end
            for sums, more in ((regrets, found.regrets), (averages, found.averages)):
                for place, amount in more.items():
                    sums[place] += chance * amount
        return regrets, averages, dead

    def outcomes(self, updated: int) -> Iterator[tuple[float, Found]]:
        """Every iteration that can be drawn from here, with its probability."""
        waiting: list[list[int]] = [[]]
        while waiting:
            dice = Counted(waiting.pop())
            found = self.iterate(dice, updated)
            waiting += dice.others
            yield dice.chance, found

    def iterate(self, dice: Rolled | Counted, updated: int) -> Found:
        self.dice, self.i, self.found, self.left = dice, updated, Found(), False
        self.targeted = self.me >= 0 and dice.coin(self.delta)
        matched = 0 if self.me >= 0 else None
        seen = ((),) * self.game.players
        self.sample(self.game.start(), seen, matched, 1.0, 1.0, 1.0)
        return self.found

    def policy(self, key: Key, legal: Sequence[int]) -> list[float]:
        """Regret matching."""
        positive = [max(self.regrets[key, move], 0.0) for move in legal]
        total = sum(positive)
        return [p / total for p in positive] if total > 0 else [1 / len(legal)] * len(legal)

    def sample(
        self,
        h: Position,
        seen: Seen,
        matched: int | None,  # tokens of the target so far; None: reached, or out of reach
        others: float,  # pi_-i
        s1: float,
        s2: float,
    ) -> tuple[float, float, float] | None:
        """(x, l, u): the probability of what came after h, that of the sample, the payoff."""
        turn = h.turn()
        if turn == OVER:
            u = h.payoff()[self.i] - self.middle if self.i < self.game.players else 0.0
            return 1.0, self.delta * s1 + (1 - self.delta) * s2, u
        if turn == self.me and matched == len(self.observed):
            matched = None
        legal, key, inside = h.legal(), None, False
        if turn == CHANCE:
            policy = h.weights()
        elif self.left:
            policy = [1 / len(legal)] * len(legal)
        else:
            key, inside = (turn, seen[turn]), True
            policy = self.policy(key, legal)
            if key not in self.nodes:
                self.found.fresh.append((key, tuple(legal)))
                self.left = True
            self.found.visited.append(key)
        if inside and turn != self.i:
            for move, p in zip(legal, policy, strict=True):
                weight = others / (self.delta * s1 + (1 - self.delta) * s2)
                self.found.averages[key, move] += weight * p
        drawn = self.draw(h, turn, legal, policy, matched, s1 > 0, inside)
        if drawn is None:
            self.found.dead_end = True
            return None
        k, rho1, rho2, matched = drawn
        tokens = [h.sees(legal[k], p) for p in range(self.game.players)]
        seen = tuple((*s, t) if t else s for s, t in zip(seen, tokens, strict=True))
        h.play(legal[k])
        mine = turn == self.i
        after = self.sample(
            h, seen, matched, others * (1.0 if mine else policy[k]), s1 * rho1, s2 * rho2
        )
        if after is None:
            return None
        c, drawn_by, u = after
        x = c * policy[k]
        if inside and mine:
            for move in legal:
                gain = (c if move == legal[k] else 0.0) - x
                self.found.regrets[key, move] += u * others / drawn_by * gain
        return x, drawn_by, u

    def draw(
        self,
        h: Position,
        turn: int,
        legal: Sequence[int],
        policy: Sequence[float],
        matched: int | None,
        reachable: bool,
        inside: bool,
    ) -> tuple[int, float, float, int | None] | None:
        """The place of the move drawn, its probability by both schemes, and tokens then matched."""
        epsilon = self.epsilon if turn == self.i else 0.0
        plain = [epsilon / len(legal) + (1 - epsilon) * p for p in policy]
        if matched is None:
            listed = not self.game.has("weights") if turn == CHANCE else not inside
            k = self.dice.below(len(plain)) if listed else self.dice.pick(plain)
            return k, plain[k] if reachable else 0.0, plain[k], None
        wanted = (*self.observed, 0)[matched]
        tokens = [h.sees(move, self.me) for move in legal]
        fits = [token in (0, wanted) for token in tokens]
        aimed = [p if fit else 0.0 for p, fit in zip(plain, fits, strict=True)]
        if sum(aimed) == 0 and turn != CHANCE:
            aimed = [float(fit) for fit in fits]
        total = sum(aimed)
        if self.targeted and total == 0:
            return None
        k = self.dice.pick(aimed if self.targeted else plain)
        if not aimed[k]:
            return k, 0.0, plain[k], None
        return k, aimed[k] / total, plain[k], matched + (tokens[k] != 0)

    # --- the exact numbers -----------------------------------------------------------------------

    def exact(self, updated: int) -> tuple[Sums, Sums]:
        """Counterfactual regrets of the updated player, pi_-i sigma of the others, over all games.

        In the tree by regret matching, at random beyond its first new node.
        """
        regrets: Sums = defaultdict(float)
        averages: Sums = defaultdict(float)

        def value(
            h: Position, seen: tuple[tuple[int, ...], ...], others: float, out: bool
        ) -> float:
            turn = h.turn()
            if turn == OVER:
                return h.payoff()[updated] - self.middle if updated < self.game.players else 0.0
            legal, key = h.legal(), (turn, seen[turn]) if turn != CHANCE else None
            policy = h.weights() if turn == CHANCE else [1 / len(legal)] * len(legal)
            if turn != CHANCE and not out:
                policy = self.policy(key, legal)
            counts = turn != CHANCE and not out
            leaves = out or (turn != CHANCE and key not in self.nodes)
            values = []
            for move, p in zip(legal, policy, strict=True):
                tokens = [h.sees(move, viewer) for viewer in range(self.game.players)]
                then = tuple((*s, t) if t else s for s, t in zip(seen, tokens, strict=True))
                after = h.copy()
                after.play(move)
                values.append(value(after, then, others * (1 if turn == updated else p), leaves))
                if counts and turn != updated:
                    averages[key, move] += others * p
            here = sum(p * v for p, v in zip(policy, values, strict=True))
            if counts and turn == updated:
                for move, v in zip(legal, values, strict=True):
                    regrets[key, move] += others * (v - here)
            return here

        value(self.game.start(), ((),) * self.game.players, 1.0, False)
        return regrets, averages


def fold(key: Key) -> int:
    """The 64-bit key that the kernel uses."""
    player, seen = key
    folded = player + 1
    for token in seen:
        folded = mixed(folded, token)
    return tagged(folded, player + 1)
