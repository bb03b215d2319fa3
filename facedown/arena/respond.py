"""How exploitable an agent is in a game that is too large to enumerate: a responder that searches.

The responder knows the agent's policy by asking it: a new agent that has seen what the opponent
has seen, so many times at each information set. Where it stands it believes in histories that agree
with what it has seen (a HyperPlay bag), each as likely as chance and the agent's policy make it.
Its reply it finds by a search of its own decisions (POMCP; Silver and Veness 2010), in which the
agent moves by its policy as far as that was asked, and at random beyond. What it finds at an
information set it keeps: it is one fixed strategy, and what that wins on average from the agent,
who plays on with seeds of its own, is a lower bound of what a best response wins, but for the error
of the games.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np

from facedown.agents.base import Agent
from facedown.agents.registry import make_agent
from facedown.arena.statistics import Mean, clustered_mean
from facedown.belief.belief import NoWorldError
from facedown.belief.hyperplay import Bag
from facedown.core import CHANCE, OVER, PUBLIC, Game, Position, RuleError, SpecError, Stream, derive

ASKS, THINK, MODELS, GAMES = 32, 1_000, 100, 1_000
"""Times that the agent is asked at an information set; iterations of a reply; models of a belief;
games that are played from each seat."""

DEPTH = 3
"""Decisions of the agent, from the root of a search, that it is asked about; beyond, any move."""

LIMIT = 2_000
"""States that a model of a belief may visit for an observation."""

C = 0.7
"""How much the search explores, in units of the payoffs that it has met."""

FEW = 5
"""Times that every move is tried before any is preferred: one bad start must not decide."""

Seen = tuple[int, ...]
"""What a player has seen: its information set."""

Shares = dict[int, float]


class Policy:
    """What an agent does where it has seen this or that, as far as it was asked."""

    def __init__(self, game: Game, spec: str, player: int, asks: int, seed: int) -> None:
        self._game, self._spec, self.player = game, spec, player
        self._asks, self._seed = asks, seed
        self.known: dict[Seen, Shares] = {}

    def at(self, seen: Seen, here: Position) -> Shares:
        """How often it makes each move that it makes in a position, where it has to move."""
        found = self.known.get(seen)
        return self.shares(seen, *here.offer(self.player)) if found is None else found

    def shares(self, seen: Seen, view: Position, legal: Sequence[int]) -> Shares:
        """The same where it is shown a view; asked once for all."""
        if seen not in self.known:
            times: dict[int, int] = {}
            for k in range(self._asks if len(legal) > 1 else 1):
                move = self._choice(seen, view, legal, k)
                times[move] = times.get(move, 0) + 1
            total = sum(times.values())
            self.known[seen] = {move: n / total for move, n in times.items()}
        return self.known[seen]

    def _choice(self, seen: Seen, view: Position, legal: Sequence[int], k: int) -> int:
        seed = derive(self._seed, "ask", self.player, k, *seen)
        agent = make_agent(self._spec, self._game, self.player, seed)
        for token in seen:
            agent.observe(token, self._game.text.observation_text(token, self.player))
        return _legal(agent, view.copy(), legal)

    def likely(self, seen: Seen, here: Position, move: int) -> float:
        """How likely a move is; what it was never seen to do is not impossible."""
        legal = len(here.legal())
        return (self.at(seen, here).get(move, 0.0) * self._asks + 0.5 / legal) / (self._asks + 0.5)


@dataclass
class _Arm:
    visits: int = 0
    total: float = 0.0


@dataclass
class _Node:
    """A decision of the responder's, by what it has seen since the root."""

    arms: dict[int, _Arm] = field(default_factory=dict)

    def choose(self, legal: Sequence[int], spread: float, stream: Stream) -> int:
        """UCB1 over what is legal in this world; what was hardly tried comes first."""
        new = [move for move in legal if self._tried(move) < FEW]
        if new:
            return min(new, key=lambda move: (self._tried(move), stream.random()))
        log = math.log(sum(self.arms[move].visits for move in legal))

        def bound(move: int) -> float:
            arm = self.arms[move]
            return arm.total / arm.visits + C * spread * math.sqrt(log / arm.visits)

        return max(legal, key=bound)

    def _tried(self, move: int) -> int:
        arm = self.arms.get(move)
        return 0 if arm is None else arm.visits


@dataclass(frozen=True)
class _World:
    """A history that agrees: where it leads, and what the agent has seen on the way."""

    position: Position
    seen: Seen


class Responder:
    """A fixed strategy of `player` against a policy: what it has found at each information set."""

    def __init__(
        self, game: Game, policy: Policy, player: int, seed: int, think: int = THINK
    ) -> None:
        self._game, self._policy, self.player = game, policy, player
        self._seed, self._think = seed, think
        self.found: dict[Seen, int] = {}
        self._scratch = game.start()

    def choose(self, seen: Seen, legal: Sequence[int]) -> int:
        """The reply, found once for all; any legal move where no world was found."""
        if len(legal) == 1:
            return legal[0]
        if seen not in self.found:
            self.found[seen] = self._reply(seen, legal)
        return self.found[seen]

    def _reply(self, seen: Seen, legal: Sequence[int]) -> int:
        stream = Stream(derive(self._seed, "reply", self.player, *seen))
        try:
            worlds, weights = self._believed(seen, stream)
        except NoWorldError:
            return stream.choice(legal)
        nodes: dict[Seen, _Node] = {}
        low, high = math.inf, -math.inf
        for _ in range(self._think):
            world = worlds[stream.pick(weights)]
            spread = high - low if high > low else 1.0
            paid = self._simulate(world, nodes, spread, stream)
            low, high = min(low, paid), max(high, paid)
        arms = nodes[()].arms if () in nodes else {}
        tried = [move for move in legal if move in arms]
        if not tried:
            return stream.choice(legal)
        return max(tried, key=lambda move: (arms[move].visits, arms[move].total))

    # --- what it believes ------------------------------------------------------------------------

    def _believed(self, seen: Seen, stream: Stream) -> tuple[list[_World], list[float]]:
        """Histories that agree, weighted by chance and the agent's policy."""
        bag = Bag(self._game, self.player, MODELS, stream.bits(), limit=LIMIT, repairs=True)
        for token in seen:
            bag.observe(token)
        bag.follow()
        shares, found = bag.shares().tolist(), dict[tuple[int, ...], float]()
        for history, share in zip(bag.histories(), shares, strict=True):
            found[history] = found.get(history, 0.0) + share
        worlds, logs = [], []
        for history, share in found.items():
            world, log = self._followed(history)
            worlds.append(world)
            logs.append(math.log(max(share, 1e-300)) + log)
        odds = np.exp(np.array(logs) - max(logs))
        return worlds, odds.tolist()

    def _followed(self, history: Sequence[int]) -> tuple[_World, float]:
        """The end of a history, and how much likelier the agent makes it than even moves do."""
        here, other, seen, log = self._game.start(), self._policy.player, list[int](), 0.0
        for move in history:
            if here.turn() == other and len(here.legal()) > 1:
                legal = len(here.legal())
                log += math.log(legal * self._policy.likely(tuple(seen), here, move))
            token = here.sees(move, other)
            if token:
                seen.append(token)
            here.play(move)
        return _World(here, tuple(seen)), log

    # --- its search ------------------------------------------------------------------------------

    def _simulate(
        self, world: _World, nodes: dict[Seen, _Node], spread: float, stream: Stream
    ) -> float:
        """One game from a world on: own moves by the tree, the agent's by its policy."""
        here, me, other = self._scratch, self.player, self._policy.player
        self._game.rules.copy(here.address, world.position.address)
        own: Seen = ()
        theirs, asked, inside = world.seen, 0, True
        path: list[_Arm] = []
        paid = self._ended(here, bool(path))
        while paid is None:
            turn = here.turn()
            if turn == CHANCE:
                move = here.draw(stream)
            elif turn == me:
                move, inside = self._own_move(here, own, nodes, inside, spread, path, stream)
            else:
                move = self._other_move(here, theirs, asked, stream)
                asked += 1
            own, theirs = _after(own, here.sees(move, me)), _after(theirs, here.sees(move, other))
            here.play(move)
            paid = self._ended(here, bool(path))
        for arm in path:
            arm.visits += 1
            arm.total += paid
        return paid

    def _ended(self, here: Position, moved: bool) -> float | None:
        """What it is paid, at the end or, once it has moved, at the game's horizon."""
        if here.turn() == OVER:
            return here.payoff()[self.player]
        values = here.horizon() if moved else None
        return None if values is None else values[self.player]

    def _own_move(
        self,
        here: Position,
        own: Seen,
        nodes: dict[Seen, _Node],
        inside: bool,
        spread: float,
        path: list[_Arm],
        stream: Stream,
    ) -> tuple[int, bool]:
        """A move of the tree, which grows by one decision; beyond it, any."""
        legal = here.legal()
        if not inside:
            return stream.choice(legal), False
        inside = own in nodes
        node = nodes.setdefault(own, _Node())
        move = node.choose(legal, spread, stream)
        path.append(node.arms.setdefault(move, _Arm()))
        return move, inside

    def _other_move(self, here: Position, seen: Seen, asked: int, stream: Stream) -> int:
        if seen not in self._policy.known and asked >= DEPTH:
            return stream.choice(here.legal())
        shares = self._policy.at(seen, here)
        return list(shares)[stream.pick(list(shares.values()))]


def _after(seen: Seen, token: int) -> Seen:
    return (*seen, token) if token else seen


# --- what it wins ---------------------------------------------------------------------------------


@dataclass(frozen=True)
class Task:
    """Whom to exploit, in which game; games from each seat, iterations of a reply, questions."""

    game: Game
    spec: str
    games: int = GAMES
    think: int = THINK
    asks: int = ASKS
    seed: int = 0

    def __post_init__(self) -> None:
        for name, least in (("games", 2), ("think", 1), ("asks", 1)):
            if getattr(self, name) < least:
                raise SpecError(f"{name} is {getattr(self, name)}; at least {least} is wanted")

    def policy(self, player: int) -> Policy:
        """What the agent does as this player, before it was asked anything."""
        return Policy(self.game, self.spec, player, self.asks, self.seed)


@dataclass(frozen=True)
class Won:
    """What the responder won from a seat: a mean over games, each with a deal of its own."""

    player: int
    mean: Mean
    infosets: int  # at which it has found a reply


def respond(
    task: Task, player: int, policy: Policy | None = None, tick: Callable[[], None] | None = None
) -> Won:
    """Let a responder play `player` against the agent; what it wins.

    >>> from facedown.games.registry import load_game
    >>> won = respond(Task(load_game("kuhn"), "random", games=200, think=200), 0)
    >>> 0.2 < won.mean.value < 0.8
    True
    """
    game, spec, seed = task.game, task.spec, task.seed
    responder = Responder(game, policy or task.policy(1 - player), player, seed, task.think)
    paid = []
    for k in range(task.games):
        agent = make_agent(spec, game, 1 - player, derive(seed, "agent", player, k))
        paid.append(_played(game, responder, agent, Stream(derive(seed, "deal", player, k))))
        if tick is not None:
            tick()
    return Won(player, clustered_mean(paid, [1] * task.games), len(responder.found))


def _played(game: Game, responder: Responder, agent: Agent, deal: Stream) -> float:
    """What the responder is paid in one game with an agent."""
    truth, me = game.start(), responder.player
    seen: Seen = ()
    for _ in range(game.most_plies + 1):
        turn = truth.turn()
        if turn == OVER:
            return truth.payoff()[me]
        if turn == CHANCE:
            move = truth.draw(deal)
        elif turn == me:
            move = responder.choose(seen, truth.choices())
        else:
            move = _legal(agent, *truth.offer(turn))
        token, other = truth.sees(move, me), truth.sees(move, 1 - me)
        public = truth.sees(move, PUBLIC)
        truth.play(move)
        seen = _after(seen, token)
        if other:
            agent.observe(other, game.text.observation_text(other, 1 - me))
        if public:
            agent.overhear(public)
    raise RuleError(f"{game.spec} does not end within {game.most_plies} plies")


def _legal(agent: Agent, view: Position, legal: Sequence[int]) -> int:
    """The move of an agent; SpecError where it is not legal."""
    move = int(agent.choose(view, list(legal)))
    if move not in legal:
        raise SpecError(f"{type(agent).__name__} chose {move}; legal there: {list(legal)}")
    return move
