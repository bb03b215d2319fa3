"""MT-ISMCTS with inference and self-determinization in plain Python, as the paper tells it.

Cowling, Whitehouse and Powley (2015), sections IV to VI: a search of one or two parts on the naive
search, beliefs that are dictionaries, equation 2 and equation 3 word by word.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from facedown.core import PUBLIC, Game, Position, derive
from facedown.search.recipe import Recipe
from support.naive import Naive, Part

Belief = dict[int, float]  # of worlds by number, all that are not impossible
MODES = ("trueonly", "pure", "split", "twostep", "bluff")


class NaiveManyTree:
    """One player's mind: `phi` is what it believes, `psi` what it thinks that the others do."""

    def __init__(
        self, game: Game, player: int, recipe: Recipe, mode: str, split: float, iterations: int
    ) -> None:
        self.game, self.player, self.recipe, self.mode = game, player, recipe, mode
        share = {"trueonly": 0.0, "pure": 1.0}.get(mode, split)
        self.first = round(share * iterations)  # T1
        self.second = iterations - self.first
        self.infers = True
        self.phi: Belief | None = None
        self.psi: Belief | None = None
        self.search: Naive | None = None

    # --- beliefs ---------------------------------------------------------------------------------

    def worlds(
        self, view: Position, viewer: int, belief: Belief | None
    ) -> list[tuple[float, Position, int]]:
        """The worlds that the view allows, by what is believed; at first, by the game's weights."""
        found = []
        for k in range(self.game.worlds):
            world = view.copy()
            weight = world.world(viewer, k)
            if weight > 0:
                share = 1.0 if not self.infers else belief.get(k, 0.0) if belief else weight
                found.append((share, world, k))
        total = sum(share for share, _, _ in found)
        return [(share / total, world, k) for share, world, k in found if share > 0]

    def learn(self, belief: Belief, key: tuple[Any, ...], root: tuple[Any, ...]) -> Belief:
        """Equation 2: phi(d) := (1 - n(v) / N) phi(d) + n(v) / N * c(v, d) / n(v)."""
        assert self.search is not None
        c = {d: self.search.tallies[*key, d] for d in range(self.game.worlds)}
        big_n = sum(self.search.tallies[*root, d] for d in range(self.game.worlds))
        n = sum(c.values())
        if not 0 < n < big_n:  # never searched; or always come to, in whatever world
            return belief
        return {d: (1 - n / big_n) * belief[d] + n / big_n * c[d] / n for d in belief}

    def observe(self, token: int, public: int) -> None:
        """What the player and the public saw of a move; 0 is nothing."""
        if self.search is None or not self.infers:
            return
        if token:
            self.seen = (*self.seen, token)
            root = (self.player, self.known)
            if self.phi is not None:
                self.phi = self.learn(self.phi, (*root, self.seen), (*root, ()))
        if public:
            self.heard = (*self.heard, public)
            if self.psi is not None:
                self.psi = self.learn(self.psi, (PUBLIC, self.heard), (PUBLIC, ()))

    # --- searching -------------------------------------------------------------------------------

    def choose(self, view: Position, legal: Sequence[int], seed: int) -> list[int]:
        """The moves that may be played; more than one where nothing tells them apart."""
        self.search = Naive(self.game, self.recipe, view, self.player, derive(seed, 0))
        self.known, self.seen, self.heard = view.infoset(self.player), (), ()
        if self.first:
            worlds = self.worlds(view.view(PUBLIC), PUBLIC, self.psi)
            self.psi = {k: share for share, _, k in worlds}
            sight = (self.player, PUBLIC) if self.infers else ()
            self.search.enter(Part(worlds, PUBLIC, (), sight)).run(self.first)
        worlds = self.worlds(view, self.player, self.phi)
        self.phi = {k: share for share, _, k in worlds}
        if self.second:
            others = [p for p in range(self.game.players) if p != self.player]
            frozen = others if self.mode == "twostep" else []
            sight = (self.player,) if self.infers else ()
            self.search.enter(Part(worlds, self.player, frozen, sight)).run(self.second)
        return self.decide(legal)

    def visits(self, own: bool) -> dict[int, int]:
        """Visits of the moves at the first decision: in the decision tree, or in all of them."""
        assert self.search is not None
        found: dict[int, int] = {}
        for key in self.search.roots:
            if not own or key[2] == self.known:
                for move, edge in self.search.nodes[key].edges.items():
                    found[move] = found.get(move, 0) + edge.visits
        return found

    def decide(self, legal: Sequence[int]) -> list[int]:
        own, everywhere = self.visits(own=True), self.visits(own=False)
        if not own:
            most = max(everywhere.get(move, 0) for move in legal)
            return [move for move in legal if everywhere.get(move, 0) == most]
        most = max(own.values())
        means, spreads = self.rewards()
        ties = [move for move in own if own[move] == most]
        best = max(ties, key=lambda move: means[move])
        if self.mode != "bluff":
            return [move for move in ties if means[move] == means[best]]
        worth = [
            a for a in own if a == best or means[best] - means[a] < min(spreads[best], spreads[a])
        ]
        top = max((everywhere[move], own[move]) for move in worth)
        return [move for move in worth if (everywhere[move], own[move]) == top]

    def rewards(self) -> tuple[dict[int, float], dict[int, float]]:
        """Mean and standard deviation of the reward of each move in the decision tree."""
        assert self.search is not None
        means, spreads = {}, {}
        (root,) = [key for key in self.search.roots if key[2] == self.known]
        for move, edge in self.search.nodes[root].edges.items():
            means[move] = edge.total / edge.visits
            variance = edge.squares / edge.visits - means[move] ** 2
            spreads[move] = max(variance, 0.0) ** 0.5
        return means, spreads
