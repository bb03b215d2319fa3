"""Information set Monte Carlo tree search in plain Python, as the papers tell it: an oracle.

Written from Cowling, Powley and Whitehouse (2012) as Kelly (2017) and Cowling, Powley and
Whitehouse (2015, Algorithm 1) give it, and from Bitan and Kraus (2017, Algorithms 2 and 3) for
Smooth-UCT. Dictionaries and objects, no hashing: a node's key is a tuple of what was observed. It
asks the random streams for the same things in the same order as the search does, so that the two
trees can be compared node by node. So can the tallies c(observer's history, world) of Cowling,
Whitehouse and Powley (2015, section V), which are kept where a part of the search names observers.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from facedown.core import CHANCE, OVER, PUBLIC, Game, Memos, Position, Stream, derive
from facedown.core.records import address_of
from facedown.core.streams import mixed, tagged
from facedown.search.network import load_network
from facedown.search.preferences import load_preferences
from facedown.search.recipe import BUCKETS, Growth, Identity, Labels, Recipe, Worlds
from facedown.search.thread import Foreseen


@dataclass
class Edge:
    """A move tried at a node."""

    visits: int = 0
    available: int = 0
    total: float = 0.0
    squares: float = 0.0


@dataclass
class Node:
    """What is known of a decision: the visits and the moves tried."""

    visits: int = 0
    edges: dict[int, Edge] = field(default_factory=dict)


@dataclass
class Step:
    """A decision on the way down: the move taken, by whom, after how many others."""

    node: Node
    move: int
    player: int
    when: int


def weighted(stream: Stream, weights: Sequence[float]) -> int:
    """An index drawn in proportion to the weights."""
    left = stream.random() * sum(weights)
    for k, weight in enumerate(weights):
        left -= weight
        if left < 0:
            return k
    return max(k for k, weight in enumerate(weights) if weight > 0)


@dataclass
class Part:
    """A part of a search: (weight, position, label) of its worlds, as `viewer` knows them.

    `views`: they are views, from which worlds are drawn by the game's rule.
    """

    worlds: Sequence[tuple[float, Position, int]]
    viewer: int
    frozen: Sequence[int] = ()
    observers: Sequence[int] = ()
    views: bool = False


class Naive:
    """The search of one thread. `worlds` are pairs of a weight and a position, where any are given.

    `already`: what the searcher has seen before; `before`: the search whose tree it goes on with.

    `tallies` count the iterations that came to what an observer has seen, by world: under
    (PUBLIC, tokens, label) and (searcher, infoset at the root, tokens, label).
    """

    def __init__(
        self,
        game: Game,
        recipe: Recipe,
        root: Position,
        player: int,
        seed: int,
        worlds: Sequence[tuple[float, Position]] = (),
        foreseen: Foreseen | None = None,
        memos: Memos | None = None,
        before: Naive | None = None,
        already: Sequence[int] = (),
    ) -> None:
        self.foreseen, self.already = foreseen, tuple(already)
        self.root_memos = memos or Memos(game, player)
        self.game, self.recipe, self.root, self.me = game, recipe, root, player
        self.world_stream = Stream(derive(seed, "worlds"))
        self.stream = Stream(derive(seed, "search"))
        self.pack = self.world_stream.state >> 1 | 1
        self.chances = self.stream
        given = [(weight, position, k) for k, (weight, position) in enumerate(worlds)]
        views = not given and recipe.belief[0] == "determinize"
        self.part = Part(given or [(1.0, root, 0)], player, recipe.frozen, (), views)
        self.tallies: Counter[tuple[Any, ...]] = Counter()
        self.nodes: dict[tuple[Any, ...], Node] = {}
        self.roots: list[tuple[Any, ...]] = []
        self.iterations = self.plies = 0
        self.averages: dict[tuple[int, int], list[float]] = {}  # payoffs by player and move
        if before is not None:
            self.nodes, self.averages = before.nodes, before.averages
        self.met: dict[Any, dict[int, float]] = {}  # weights by a network, of moves met at nodes

    def enter(self, part: Part) -> Naive:
        """Go on with other worlds; the trees and the tallies stay."""
        self.part = part
        return self

    # --- one iteration -------------------------------------------------------------------------

    def run(self, iterations: int) -> Naive:
        for _ in range(iterations):
            self.world, self.label = self.sample()
            self.begin()
            self.simulate()
            self.iterations += 1
        return self

    def sample(self) -> tuple[Position, int]:
        """The world of this iteration and its label."""
        worlds, k = self.part.worlds, 0
        if self.recipe.worlds is Worlds.IN_TURN:
            k = self.iterations % len(worlds)
        elif len(worlds) > 1:
            k = weighted(self.world_stream, [weight for weight, _, _ in worlds])
        if self.recipe.chance == "fixed":
            self.chances = Stream(mixed(self.pack, self.iterations if self.part.views else k))
        _, world, label = worlds[k]
        world = world.copy()
        if self.part.views:
            memo = self.root_memos.of(self.part.viewer)
            world.determinize(self.part.viewer, self.world_stream, self.recipe.determinize, memo)
        return world, label

    def begin(self) -> None:
        self.played: tuple[int, ...] = ()
        self.movers: tuple[int, ...] = ()
        self.seen: list[tuple[int, ...]] = [()] * self.game.players
        self.seen[self.me] = self.already
        self.known: list[int] = []
        if self.recipe.identity is Identity.MANY:
            self.known = [self.world.infoset(p) for p in range(self.game.players)]
        self.memos = [self.root_memos.of(p).copy() for p in range(self.game.players)]
        self.outside: set[int] = set()
        self.path: list[Step] = []
        self.decisions, self.first = 0, True
        self.public: tuple[int, ...] = ()
        self.decided = 0  # decisions of the searcher so far
        self.asked: int | None = None  # the searcher's first move, until somebody has answered it
        self.only: bool | None = None  # whether what is decided now is the reply that was foreseen
        self.count({*self.part.observers})

    def simulate(self) -> None:
        ply = when = 0  # moves, and those of players among them
        while (values := self.ending(ply)) is None:
            player = self.world.turn()
            self.playout = len(self.outside) == self.game.players
            self.draw_reply(player)
            move = self.move(player, when)
            self.only = None
            if player == self.me and not self.decided and self.foreseen is not None:
                self.asked = move if move in self.foreseen.shares else None
            self.decided += player == self.me
            self.movers = (*self.movers, player)
            saw = self.observe(move)
            if self.decided < 2 and not self.playout:
                self.count(saw & {*self.part.observers})
            self.world.play(move)
            ply += 1
            when += player != CHANCE
        self.plies += ply
        self.update(values, when)

    def draw_reply(self, player: int) -> None:
        """Where another player answers a move whose reply is foreseen: whether that one comes."""
        if self.asked is None or self.foreseen is None or player in (CHANCE, self.me):
            return
        share, self.asked = self.foreseen.shares[self.asked], None
        legal = self.world.legal()
        if self.foreseen.reply in legal and len(legal) > 1:
            self.only = self.stream.random() < share

    def legal(self) -> list[int]:
        """What is legal, or of that what agrees with the reply that was drawn."""
        legal = self.world.legal()
        if self.only is None or self.foreseen is None:
            return legal
        return [move for move in legal if (move == self.foreseen.reply) == self.only]

    def ending(self, ply: int) -> list[float] | None:
        """The payoffs, where the world ends here."""
        if ply and self.recipe.playout.horizon:
            out = np.zeros(self.game.players)
            if self.ask("horizon", address_of(out)):
                return out.tolist()
        return self.world.payoff() if self.world.turn() == OVER else None

    def ask(self, rule: str, *args: int) -> Any:
        """What a rule says, or the variant of it that the recipe names."""
        rules, variant = self.game.rules, self.recipe.variants.get(rule)
        key = rule if variant is None else f"{rule}:{variant}"
        return rules.python[key](rules.ctx, self.world.address, *args)

    def observe(self, move: int) -> set[int]:
        """Add what everyone sees of the move to what they have seen; who saw anything."""
        saw = set()
        self.played = (*self.played, move)
        for p in range(self.game.players):
            token = self.world.sees(move, p)
            if token:
                saw.add(p)
                self.seen[p] = (*self.seen[p], token)
                self.memos[p].remember(token, p)
        if token := self.world.sees(move, PUBLIC):
            saw.add(PUBLIC)
            self.public = (*self.public, token)
        return saw

    def count(self, observers: set[int]) -> None:
        """One more iteration has come to what these have seen."""
        if PUBLIC in observers:
            self.tallies[PUBLIC, self.public, self.label] += 1
        if self.me in observers:
            self.tallies[self.me, *self.known[self.me :][:1], self.seen[self.me], self.label] += 1

    def update(self, values: list[float], decisions: int) -> None:
        low, scale = 0.0, 1.0
        if self.recipe.scaled:
            horizon = self.recipe.playout.horizon
            low, high = self.game.horizon_range(horizon) if horizon else self.game.bounds
            scale = 1 / (high - low)
        for player, move in zip(self.movers, self.played, strict=True):
            if player != CHANCE:
                worth = (values[player] - low) * scale
                self.averages.setdefault((player, move), []).append(worth)
        done = set()
        for step in self.path:
            edge = step.node.edges[step.move]
            if id(edge) in done:
                continue
            done.add(id(edge))
            later = decisions - 1 - step.when
            worth = (values[step.player] - low) * scale
            worth *= self.recipe.playout.discount**later
            step.node.visits += 1
            edge.visits += 1
            edge.total += worth
            edge.squares += worth * worth

    # --- moves -----------------------------------------------------------------------------------

    def key(self, player: int) -> tuple[Any, ...]:
        """Who acts and what the node is told apart by."""
        identity, label = self.recipe.identity, ()
        if self.recipe.labels is Labels.TREE:
            label = (self.label,)
        if identity in BUCKETS:
            viewer = self.me if identity is Identity.OWN_BUCKET else player
            variant = self.recipe.variants.get("bucket")
            key = self.world.bucket(viewer, self.memos[viewer], variant)
            return ("bucket", player, key, label)
        if identity is Identity.FULL:
            return ("full", player, self.played, label)
        if identity is Identity.SINGLE:
            return ("single", player, self.me, self.seen[self.me], label)
        if identity is Identity.MULTI:
            return ("multi", player, self.seen[player], label)
        return ("many", player, self.known[player], self.seen[player], label)

    def move(self, player: int, when: int) -> int:
        if player == CHANCE:
            return self.chance()
        if player in self.outside or self.is_modelled(player):
            return self.default()
        key = self.key(player)
        fresh = key not in self.nodes
        if player in self.part.frozen:
            return self.default() if fresh else self.average(self.nodes[key], self.legal())
        if self.decisions >= self.recipe.playout.decisions:
            return self.leave_for_good()
        node = self.nodes.setdefault(key, Node())
        if self.first and player == self.me:
            self.first = False
            if key not in self.roots:
                self.roots.append(key)
        if self.me < 0 or not self.first:
            self.decisions += 1
        if fresh and self.recipe.growth is Growth.NODE:
            return self.leave_for_good()
        return self.decide(node, fresh, player, when)

    def is_modelled(self, player: int) -> bool:
        """Whether another player decides as in playouts this time."""
        share = self.recipe.modelled
        return share > 0 and player != self.me and self.stream.random() < share

    def leave(self) -> None:
        self.outside = set(range(self.game.players))

    def leave_for_good(self) -> int:
        """Everyone leaves the tree before a move, which is the playout's then."""
        self.leave()
        self.playout = True
        return self.default()

    def decide(self, node: Node, fresh: bool, player: int, when: int) -> int:
        legal = self.legal()
        for move in legal:
            if move in node.edges:
                node.edges[move].available += 1
        untried = [move for move in legal if move not in node.edges]
        by_edge = self.recipe.growth is Growth.EDGE
        if by_edge and untried and not self.widens(node, len(legal) - len(untried)):
            legal, untried = [move for move in legal if move in node.edges], []
        if by_edge and untried and self.recipe.urgency is None:
            move = untried[self.stream.below(len(untried))]
            self.leave()
        elif self.recipe.growth is Growth.PLAYER and fresh:
            move = self.default()
            self.outside.add(player)
        else:
            move = self.select(node, legal)
        if move not in node.edges:
            if by_edge:
                self.leave()
            node.edges[move] = Edge(available=1)
        self.path.append(Step(node, move, player, when))
        return move

    def widens(self, node: Node, tried: int) -> bool:
        """Whether one more of the legal moves may be tried: 1 + visits ** power of them."""
        power = self.recipe.widening
        return power is None or tried == 0 or tried < 1 + node.visits**power

    def chance(self) -> int:
        if self.game.has("draw"):
            return self.world.draw(self.chances)
        legal = self.world.legal()
        if self.game.has("weights"):
            return legal[weighted(self.chances, self.world.weights())]
        return legal[self.chances.below(len(legal))]

    def default(self) -> int:
        if self.recipe.playout.informed and self.only is not True:
            for _ in range(64):
                move = int(self.ask("playout", self.stream.address))
                if self.only is None or self.foreseen is None or move != self.foreseen.reply:
                    return move
        legal = self.legal()
        if self.recipe.playout.mast is not None:
            return self.by_average(legal)
        if self.recipe.playout.kinds is not None:
            legal = self.typed(legal)
        return legal[self.stream.below(len(legal))]

    def by_average(self, legal: list[int]) -> int:
        """MAST (Finnsson and Björnsson 2008), epsilon-greedy; what was never made comes first."""
        if len(legal) == 1 or self.stream.random() < self.recipe.playout.mast:
            return legal[self.stream.below(len(legal))]
        worth = [self.averages.get((self.world.turn(), move), [math.inf]) for move in legal]
        return self.argmax(legal, [sum(payoffs) / len(payoffs) for payoffs in worth])

    # --- kinds (Dobre and Lascarides 2018) -------------------------------------------------------

    def typed(self, legal: list[int]) -> list[int]:
        """The moves of a kind that is drawn by the preferences."""
        kinds = [self.world.kind(move) for move in legal]
        there = sorted(set(kinds))
        reading = self.recipe.playout.kinds
        kind = there[0]
        if len(there) > 1:
            shares = self.kind_shares(reading, there)
            kind = there[weighted(self.stream, [shares[k] for k in there])]
        return [move for move, one in zip(legal, kinds, strict=True) if one == kind]

    def kind_shares(self, reading: str | None, there: list[int]) -> dict[int, float]:
        """How likely each kind is where these are legal: equations 1 and 2."""
        if reading == "uniform":
            return dict.fromkeys(there, 1.0)
        file = self.recipe.preferences or self.game.preferences
        known = load_preferences(file, self.game.kind_names)
        bits = sum(1 << kind for kind in there)
        if reading == "conditioned":
            return known.conditioned(bits, self.recipe.unchosen)
        return known.fall_back(bits)

    def kind_prior(self, move: int, legal: list[int]) -> float:
        """P(kind) ** (1 / temperature) / N(kind), over what all legal moves have."""
        kinds = [self.world.kind(one) for one in legal]
        shares = self.kind_shares(self.recipe.kind_priors, sorted(set(kinds)))
        whole = sum(shares.values())
        power = 1 / self.recipe.temperature
        priors = [(shares[kind] / whole) ** power / kinds.count(kind) for kind in kinds]
        return priors[legal.index(move)] / sum(priors)

    # --- the bandit ------------------------------------------------------------------------------

    def select(self, node: Node, legal: list[int]) -> int:
        if len(legal) == 1:
            return legal[0]
        smooth = self.recipe.smooth
        if smooth is not None:
            eta = max(smooth.gamma, smooth.eta / (1 + smooth.d * math.sqrt(node.visits)))
            if not self.stream.random() < eta:
                return self.average(node, legal)
        return self.argmax(legal, [self.score(node, move, legal) for move in legal])

    def average(self, node: Node, legal: list[int]) -> int:
        visits = [node.edges[m].visits if m in node.edges else 0 for m in legal]
        if not any(visits):
            return legal[self.stream.below(len(legal))]
        return legal[weighted(self.stream, visits)]

    def argmax(self, legal: list[int], scores: list[float]) -> int:
        """The move of the highest score; ties are decided as they are met, each as likely."""
        best, ties = 0, 1
        for k in range(1, len(legal)):
            if scores[k] > scores[best]:
                best, ties = k, 1
            elif scores[k] == scores[best]:
                ties += 1
                if self.stream.below(ties) == 0:
                    best = k
        return legal[best]

    def score(self, node: Node, move: int, legal: list[int]) -> float:
        edge, c = node.edges.get(move, Edge()), self.recipe.c
        mean = edge.total / edge.visits if edge.visits else 0.0
        if self.recipe.bandit == "uniform":
            return -edge.visits
        if self.recipe.bandit == "puct":
            others = sum(node.edges[m].visits for m in legal if m in node.edges and m != move)
            return mean + c * self.prior(move, legal, node) * math.sqrt(others) / (1 + edge.visits)
        if self.recipe.bandit == "puct-printed":
            others = sum(node.edges[m].visits for m in legal if m in node.edges and m != move)
            return mean + c * self.prior(move, legal, node) * math.sqrt(others / (1 + edge.visits))
        if self.recipe.bandit == "prior-first":
            total = sum(node.edges[m].visits for m in legal if m in node.edges)
            return mean + c * self.prior(move, legal, node) * math.sqrt(1 + total) / (
                1 + edge.visits
            )
        if not edge.visits:
            return math.inf if self.recipe.urgency is None else self.recipe.urgency
        if self.recipe.bandit == "uct":
            return mean + c * math.sqrt(math.log(node.visits) / edge.visits)
        rate = math.log(edge.available) / edge.visits
        if self.recipe.bandit == "ucb1":
            return mean + c * math.sqrt(rate)
        variance = max(edge.squares / edge.visits - mean * mean, 0.0)
        return mean + c * math.sqrt(rate * min(0.25, variance + math.sqrt(2 * rate)))

    def prior(self, move: int, legal: list[int], node: Node) -> float:
        if self.recipe.network:
            return self.network_prior(move, legal, node)
        if self.recipe.kind_priors is not None:
            return self.kind_prior(move, legal)
        if not self.recipe.priors:
            return 1 / len(legal)
        own = self.recipe.identity in (Identity.SINGLE, Identity.OWN_BUCKET)
        memo = self.memos[self.me if own else self.world.turn()]
        shares = self.world.prior(legal, memo, self.recipe.variants.get("prior"))
        return shares[legal.index(move)] / sum(shares)

    def network_prior(self, move: int, legal: list[int], node: Node) -> float:
        """e^(score / temperature) over the legal moves, or over all that were met at the node."""
        player, identity = self.world.turn(), self.recipe.identity
        own = identity in (Identity.SINGLE, Identity.OWN_BUCKET)
        viewer, place = self.me if own else player, (id(node), 0)
        if identity in (Identity.FULL, Identity.MULTI):
            place = (id(node), self.world.infoset(player))
        met = self.met.setdefault(place, {})
        new = [one for one in legal if one not in met]
        if new:
            network = load_network(str(self.recipe.network))
            scores = network.scores(*self.world.traits(viewer, new, self.memos[viewer]))
            weights = np.exp(scores.clip(-50.0, 50.0) / self.recipe.temperature)
            met.update(zip(new, weights, strict=True))
        over = legal if self.recipe.mu else list(met)
        return float(met[move] / sum(met[one] for one in over))

    # --- reading the tree ------------------------------------------------------------------------

    def dump(self) -> dict[int, tuple[int, dict[int, tuple[int, int, float]]]]:
        """The tree under the search's 64-bit keys: visits, and each move's statistics."""
        return {
            fold(key): (
                node.visits,
                {m: (e.visits, e.available, e.total) for m, e in node.edges.items()},
            )
            for key, node in self.nodes.items()
        }

    def dump_tallies(self) -> dict[int, int]:
        """The tallies under the search's 64-bit keys."""
        found = {}
        for (observer, *known, seen, label), count in self.tallies.items():
            history = 1 if observer == PUBLIC else observer + 1
            for value in (*known, *seen):
                history = mixed(history, value)
            number = 2 if observer == PUBLIC else 1
            found[mixed(tagged(history, number), label)] = count
        return found


def fold(key: tuple[Any, ...]) -> int:
    """The 64-bit key that the search uses for what the tuple says."""
    kind, player, *rest = key
    *rest, label = rest
    if kind == "bucket":
        start, more = rest[0], ()
    elif kind == "full":
        start, more = 1, (*label, *(move + 1 for move in rest[0]))
    elif kind == "single":
        start, more = rest[0] + 1, (*label, *rest[1])
    elif kind == "multi":
        start, more = player + 1, (*label, *rest[0])
    else:
        start, more = player + 1, (rest[0], *label, *rest[1])
    if kind == "bucket":
        more = label or (0,)
    folded = start
    for value in more:
        folded = mixed(folded, value)
    return tagged(folded, player + 1)
