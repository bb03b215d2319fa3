"""The memory of imperfect-information simulations: a game in play, and a bag for every player."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from facedown.belief import walk
from facedown.belief.model import Path
from facedown.core import Game
from facedown.core.buffers import PLAY, Buffers
from facedown.core.records import address_of
from facedown.core.stepping import raise_alarm, set_play
from facedown.core.streams import mixed
from facedown.search.nested import simulation
from facedown.search.nested.sharing import Shared
from facedown.search.nested.state import buffers


@dataclass(frozen=True)
class NestedPlayers:
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


class Simulator:
    """Everything that a simulation needs, for one searcher.

    Nested players share what they found where there is a table to do it in, which may know things
    from before.
    """

    def __init__(
        self,
        game: Game,
        player: int,
        nested: NestedPlayers,
        seed: int,
        shared: Shared | None = None,
    ) -> None:
        self.game, self.player, self.nested, self.seed = game, player, nested, seed
        simulation.simulate.ready()
        self.win = game.bounds[1] if nested.win is None else nested.win
        self.shared, self._stopped = shared, 0
        if shared is not None:
            shared.mend()
        self._buffers = Buffers((*PLAY, *buffers(nested.models)), game)
        self._state, self.control = self._buffers["state"][0], self._buffers["control"]
        self._counts, self._progress = self._state["counts"], self._state["progress"]
        self._task, self._rng = self._state["task"], self._buffers["rng"]
        self.address = address_of(self._buffers["state"])  # what the kernel takes
        self._histories: dict[tuple[int, ...], tuple[Any, int]] = {}  # with where they lie
        self._set_play()
        self._set_task()
        self._set_nested()
        self._set_bags()

    def _set_play(self) -> None:
        play = self._state["play"]
        set_play(play, self.game)
        self._buffers.seat(self._state)
        self._buffers.seat(play)
        play["chance"] = play["rng"]
        self._positions = [self.game.start() for _ in range(3)]
        play["world"] = self._positions[0].address  # a position of its own, for it is released
        play["rollout"] = self.game.rules.rollout()

    def _set_task(self) -> None:
        task, game = self._state["task"], self.game
        task["start"], task["truth"] = (position.address for position in self._positions[1:])
        task["me"], task["deepest"] = self.player, game.most_plies
        task["discount"], task["low"] = self.nested.discount, game.bounds[0]
        task["win"] = self.win

    def _set_nested(self) -> None:
        own, nested = self._state["nested"], self.nested
        self._buffers.seat(own)
        own["models"], own["active"] = nested.models, 1 if nested.known else nested.models
        own["samples"] = nested.samples * (nested.models if nested.known else 1)
        own["trials"], own["known"] = nested.trials, nested.known
        own["distinct"], own["cuts"] = nested.distinct, nested.cut
        own["table"] = 0 if self.shared is None else address_of(self.shared.record)

    def _set_bags(self) -> None:
        """A bag, models and room for what is seen, for every nested player."""
        game, bags = self.game, self._buffers["bags"]
        self._models = np.zeros((game.players, self.nested.models), walk.Model)
        self._paths = [Path(game, record) for models in self._models for record in models]
        self._seen = np.zeros((game.players, game.most_plies + 1), np.uint64)
        bags["play"], bags["viewer"] = self._state["play"], range(game.players)
        bags["size"], bags["limit"] = self.nested.models, self.nested.limit
        bags["stride"] = self._paths[0].stride
        bags["models"] = [address_of(models) for models in self._models]
        bags["observed"] = [address_of(seen) for seen in self._seen]

    @property
    def states(self) -> int:
        """States visited: moves tried by nested bags, made in simulations and in random games."""
        return int(self._counts["states"])

    @property
    def played(self) -> int:
        """Of them those of random games."""
        return int(self._counts["played"])

    @property
    def joint_states(self) -> int:
        """Joint moves tried or made, as `Bag.joint_states`: moves that show somebody else anything.

        Those of random games are counted from `count_joint` on.
        """
        return int(self._counts["joint"])

    def count_joint(self) -> None:
        """Count the joint moves of random games too; that takes time, and other random numbers."""
        self._counts["all_joint"] = 1

    def simulate(self, history: tuple[int, ...], move: int, number: int) -> bool:
        """The `number`-th simulation, through a model and a candidate move; False where stopped.

        Its value is then in `value` and `payoff`, and how deep it went in `depth`.
        """
        task = self._task
        task["path"], task["length"], task["candidate"] = *self._placed(history), move
        self._progress["waiting"] = -1
        self._rng[0] = mixed(self.seed + self._stopped, number + 1)
        while (status := self._go_on()) == simulation.NEEDS_ROOM:
            self._paths[int(self._progress["waiting"])].grow()
        if status == simulation.FAILED:
            if self.shared is not None:
                self.shared.spoil()  # what a rule answered that has raised may be in it
            raise_alarm(self.game, (*history, move), self.seed)
        if status == simulation.STOPPED and self.shared is not None:
            self._stopped += 1  # what it shared stays: another go must not add the same again
        return status == simulation.DONE

    def _placed(self, history: tuple[int, ...]) -> tuple[int, int]:
        """Where a history lies as an array, and its length; it is kept, for it comes again."""
        if history not in self._histories:
            path = np.array(history, np.int32)
            self._histories[history] = path, address_of(path)
        return self._histories[history][1], len(history)

    def _go_on(self) -> int:
        """Begin a simulation, or go on with one that has got the room that it needed."""
        return int(simulation.simulate(self.address))

    @property
    def value(self) -> float:
        """What the searcher got in the last simulation, discounted."""
        return float(self._progress["value"])

    @property
    def payoff(self) -> float:
        """The same, not discounted."""
        return float(self._progress["raw"])

    @property
    def depth(self) -> int:
        """Decisions of the last simulation after the candidate move."""
        return int(self._progress["depth"])

    def prune(self, depth: int) -> None:
        """Have simulations end, as lost, that go deeper than this after the candidate move."""
        task = self._state["task"]
        task["deepest"] = min(depth, int(task["deepest"]))
