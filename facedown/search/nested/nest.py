"""The memory of imperfect-information simulations: a game in play, and a bag for every player."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from facedown.belief import walk
from facedown.belief.model import Path
from facedown.core import Game, RuleError, rollout
from facedown.core.records import address_of
from facedown.core.rules import RULES
from facedown.core.streams import mixed
from facedown.search.nested import nested_desk as at
from facedown.search.nested import simulation
from facedown.search.nested.sharing import Shared


@dataclass(frozen=True)
class Nesting:
    """What nested players are like, and when a simulation may end early.

    Each has so many `models`, every one of which may visit `limit` states before a decision, and
    tries each move in each model with so many `samples`. `distinct`: models with the same history
    share its weight. Where nested players share what they found, each adds what it learns from
    about so many `trials`, random games in a part of its models. `known`: the only model of each is
    the truth, as if nothing were hidden but choices that are pending; its random games are as many.
    `discount` is of a payoff, for every decision between a move and the end, in random games and in
    simulations, as in a search: what chance draws takes no time. `cut`: a player who has a move
    that got `win` in all games tries no further one.
    """

    models: int = 10
    samples: int = 1
    limit: int = 10_000
    distinct: bool = True
    trials: int = 0
    known: bool = False
    discount: float = 1.0
    cut: bool = False
    win: float | None = None


class Nest:
    """Everything that a simulation needs, for one searcher.

    Nested players share what they found where there is a table to do it in, which may know things
    from before.
    """

    def __init__(
        self, game: Game, player: int, nesting: Nesting, seed: int, shared: Shared | None = None
    ) -> None:
        self.game, self.player, self.nesting, self.seed = game, player, nesting, seed
        simulation.simulate.ready()
        self.win = game.bounds[1] if nesting.win is None else nesting.win
        self._kept: list[Any] = []
        self.desk = np.zeros(at.SIZE, np.int64)
        self._positions = [game.start() for _ in range(3)]
        self.control, self._rng = self._buffer(at.CONTROL, 1), self._buffer(at.RNG, 1, np.uint64)
        self.reals = self._buffer(at.REALS, 5, np.float64)
        self.shared, self._stopped = shared, 0
        if shared is not None:
            shared.mend()
        self._set_desk()
        self._set_bags()
        self._give_orders()

    def _buffer(self, place: int, n: int, kind: Any = np.int64) -> np.ndarray[Any, Any]:
        """A buffer that lives as long as this, its address put on the desk."""
        made = np.zeros(n, kind)
        self.desk[place] = address_of(made)
        self._kept.append(made)
        return made

    def _set_desk(self) -> None:
        game, desk, nesting = self.game, self.desk, self.nesting
        desk[: len(RULES)] = game.rules.table
        for place, value in (
            (walk.CTX, game.rules.ctx),
            (walk.MOST_MOVES, game.most_moves),
            (walk.MOST_PLIES, game.most_plies),
            (walk.WORDS, -(-game.rules.size // 8)),
            (walk.HOW_MANY, nesting.models),
            (walk.ALARM, address_of(game.rules.alarm)),
            (at.PLAYERS, game.players),
            (at.ME, self.player),
            (at.ACTIVE, 1 if nesting.known else nesting.models),
            (at.TRIALS, nesting.trials),
            (at.SAMPLES, nesting.samples * (nesting.models if nesting.known else 1)),
            (at.KNOWN, nesting.known),
            (at.DISTINCT, nesting.distinct),
            (at.CUTS, nesting.cut),
            (at.DEEPEST, game.most_plies),
            (at.TABLE, 0 if self.shared is None else address_of(self.shared.record)),
        ):
            desk[place] = value
        for place, position in zip((at.START, at.TRUTH, at.WORLD), self._positions, strict=True):
            desk[place] = position.address
        self.reals[at.DISCOUNT], self.reals[at.WIN] = nesting.discount, self.win
        self.reals[at.LOW] = game.bounds[0]
        most = game.most_moves
        for place, n, kind in (
            (walk.MOVES, most, np.int32),
            (walk.NUMBERS, most, np.float64),
            (at.OWN, most, np.int32),
            (at.UTILITIES, most, np.float64),
            (at.VALUES, most * nesting.models, np.float64),
            (at.WEIGHTS, 2 * nesting.models, np.float64),
            (at.KEYS, game.players, np.uint64),
            (at.PAYOFFS, game.players, np.float64),
        ):
            self._buffer(place, n, kind)

    def _set_bags(self) -> None:
        """A desk, models and room for what is seen, for every nested player."""
        game, size = self.game, self.nesting.models
        bags = self._buffer(at.BAGS, game.players * walk.SIZE).reshape(game.players, walk.SIZE)
        self._models = np.zeros((game.players, size), walk.Model)
        self._paths = [Path(game, record) for bag in self._models for record in bag]
        self._seen = np.zeros((game.players, game.most_plies + 1), np.uint64)
        bags[:] = self.desk[: walk.SIZE]
        bags[:, walk.VIEWER] = range(game.players)
        bags[:, walk.LIMIT], bags[:, walk.STRIDE] = self.nesting.limit, self._paths[0].stride
        bags[:, walk.MODELS] = [address_of(models) for models in self._models]
        bags[:, walk.OBSERVED] = [address_of(seen) for seen in self._seen]

    def _give_orders(self) -> None:
        """What the game's rollout needs to know, where it has one."""
        desk = self.desk
        desk[at.ROLLOUT] = self.game.rules.rollout()
        orders = self._buffer(at.ORDERS, rollout.ORDERS)
        orders[rollout.TABLE] = address_of(desk)
        trail = np.zeros(self.game.most_plies, np.int32)
        self._kept.append(trail)
        orders[rollout.TRAIL] = address_of(trail)
        for order, place in (
            (rollout.CTX, walk.CTX),
            (rollout.STATE, at.WORLD),
            (rollout.RNG, at.RNG),
            (rollout.MOVES, walk.MOVES),
            (rollout.NUMBERS, walk.NUMBERS),
            (rollout.PAYOFFS, at.PAYOFFS),
            (rollout.MOST_PLIES, walk.MOST_PLIES),
            (rollout.MOST_MOVES, walk.MOST_MOVES),
        ):
            orders[order] = desk[place]

    @property
    def states(self) -> int:
        """States visited: moves tried by nested bags, made in simulations and in random games."""
        return int(self.desk[at.STATES])

    @property
    def played(self) -> int:
        """Of them those of random games."""
        return int(self.desk[at.PLAYED])

    @property
    def joint_states(self) -> int:
        """Joint moves tried or made, as `Bag.joint_states`: moves that show somebody else anything.

        Those of random games are counted from `count_joint` on.
        """
        return int(self.desk[at.JOINT])

    def count_joint(self) -> None:
        """Count the joint moves of random games too; that takes time, and other random numbers."""
        self.desk[at.COUNTS] = 1

    def simulate(self, history: Sequence[int], move: int, number: int) -> bool:
        """The `number`-th simulation, through a model and a candidate move; False where stopped.

        Its value is then in `value` and `payoff`, and how deep it went in `depth`.
        """
        path = np.array(history, np.int32)
        self.desk[at.PATH], self.desk[at.LENGTH] = address_of(path), len(path)
        self.desk[at.CANDIDATE] = move
        self.desk[at.PLACE] = -1
        self._rng[0] = mixed(self.seed + self._stopped, number + 1)
        while (status := self._go_on()) == simulation.NEEDS_ROOM:
            self._paths[int(self.desk[at.PLACE])].grow()
        if status == simulation.FAILED:
            if self.shared is not None:
                self.shared.spoil()  # what a rule answered that has raised may be in it
            self._fail(history, move)
        if status == simulation.STOPPED and self.shared is not None:
            self._stopped += 1  # what it shared stays: another go must not add the same again
        return status == simulation.DONE

    def _go_on(self) -> int:
        """Begin a simulation, or go on with one that has got the room that it needed."""
        return int(simulation.simulate(address_of(self.desk)))

    def _fail(self, history: Sequence[int], move: int) -> None:
        """Raise what a rule of the game has raised, or what is wrong with a position."""
        alarm = self.game.rules.alarm
        moves = [self.game.move_text(one) for one in (*history, move)]
        if alarm[0] in (walk.STUCK, at.NO_END):
            stuck = "legal gave no moves, or more than most_moves, though the game is not over"
            endless = f"a game did not end within {self.game.most_plies} plies (most_plies)"
            what = stuck if alarm[0] == walk.STUCK else endless
            alarm[0] = 0
            raise RuleError(what, seed=self.seed, moves=moves)
        try:
            self.game.rules.raise_alarm()
        except RuleError as error:
            raise error.within(seed=self.seed, moves=moves) from error.__cause__

    @property
    def value(self) -> float:
        """What the searcher got in the last simulation, discounted."""
        return float(self.reals[at.VALUE])

    @property
    def payoff(self) -> float:
        """The same, not discounted."""
        return float(self.reals[at.RAW])

    @property
    def depth(self) -> int:
        """Decisions of the last simulation after the candidate move."""
        return int(self.desk[at.DEPTH])

    def prune(self, depth: int) -> None:
        """Have simulations end, as lost, that go deeper than this after the candidate move."""
        self.desk[at.DEEPEST] = min(depth, int(self.desk[at.DEEPEST]))
