"""HyperPlay (Schofield and Thielscher 2019, sections 3 to 5): worlds from the rules alone.

A bag of models, each a complete history of the game that gives its viewer the observations that
were made. It needs no game's help: where a game has no `determinize`, its worlds come from here.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from facedown.belief import repair, walk, weighing
from facedown.belief.belief import Belief, NoWorldError, Wanted
from facedown.belief.model import Path
from facedown.belief.nearest import nearest
from facedown.belief.pool import Pool
from facedown.belief.weighing import Reals, Weighing, shares_of
from facedown.core import (
    Game,
    Position,
    RuleError,
    SpecError,
    Stream,
    derive,
)
from facedown.core.buffers import PLAY, Buffer, Buffers
from facedown.core.clocks import now
from facedown.core.jit import make_ready
from facedown.core.memo import memo_words
from facedown.core.records import address_of
from facedown.core.stepping import raise_alarm, set_play

LIMIT = 100_000
"""States that a model may visit in an update before it is taken off line (section 5.7)."""

SCOUT_SHARE = 10
"""A scout may visit a tenth of the states that the models may, all together."""

FIRST = 64
"""States that each model may visit before the clock is looked at."""

REPAIRED = 64
"""States that a model visits in the order of time before it is repaired in place."""

AT_ONCE = 256
"""States that it visits for all that it has not met yet, before it meets that token by token."""

PATIENCE = 3
"""Further updates in which an empty bag looks for a model before it gives up."""

_LEARNT = (
    Buffer("missed", np.float64, lambda game: game.moves if game.compiled else 1),
    Buffer("times", np.int64, lambda game: game.moves if game.compiled else 1),
)
"""What repairs learn of each move, where tokens are packed."""


def _over(ends: float | None) -> bool:
    """Whether the clock has come to the end."""
    return ends is not None and now() > ends


def prepare() -> None:
    """Have the kernels compiled, or loaded: that is no part of anybody's thinking time."""
    make_ready("belief")


class Bag(Belief):
    """Models of what `viewer`, a player or PUBLIC, may be in, given the tokens it has observed.

    Every model has a random stream of its own; the same seed and tokens give the same bag. `limit`
    bounds the states that a model visits in an update, with `repairs` for each observation that it
    has to meet: beyond it the model is *off line*, is in no world, and goes on in the next update
    where it was, unless it does not `resume`. A state is visited when a move is tried.
    `reseed` has a model that is off line begin again as a copy of one that is not. `rebalance` is
    the paper's second remedy (section 5.6): after an update, histories that many models share give
    models to those that few have. `repairs`: a model that has walked for a while in vain is
    repaired in place (`belief/repair.py`), which finds what backtracking in the order of time does
    not; without it a bag is the paper's. `priors`: players' moves are as likely as the game's
    `prior` says, by what each player remembers there; else all are as likely.

    `weigh` says what a model weighs, of P, the probability of its history (equations 5 to 8; with
    even moves 1 / ChoiceFactor, equations 3 and 4):

    - `even`: the same for each, as if all histories were as likely (the first try of section 3.5).
    - `choices`: P, whatever else is in the bag.
    - `distinct`: P, shared by the models that have the same history: the paper's first remedy. It
      is exact where the bag holds all histories, and counts P twice where it holds few of many, for
      likely ones are found more often.
    - `inclusion`: P divided by the probability that the bag holds the history, shared likewise
      (Horvitz and Thompson 1952): right in both cases, as far as that probability is known. A scout
      finds out which moves along a path could not have led to the next observation.

    A move that leads to the next observation and not to the last counts as one that a walk could
    have played; where many are such, what is known of that probability is wrong by far. `thorough`
    is how many moves the scout may try, for each, to find that out too; `exact` then says whether
    it did for all.
    """

    def __init__(
        self,
        game: Game,
        viewer: int,
        size: int = 100,
        seed: int = 0,
        *,
        limit: int = LIMIT,
        weigh: Weighing = "inclusion",
        rebalance: bool = False,
        reseed: bool = False,
        resume: bool = True,
        repairs: bool = False,
        priors: bool = False,
        thorough: int = 0,
    ) -> None:
        if size < 1 or limit < 1:
            raise SpecError(f"a bag of {size} models, limit {limit}: at least 1 is wanted of both")
        if priors and not game.has("prior"):
            raise SpecError(f"{game.name} has no rule 'prior', so nobody's moves can follow it")
        super().__init__(game, viewer, seed)
        self.weigh, self.priors = weigh, priors
        self.limit, self._rebalances, self._reseeds = limit, rebalance, reseed
        self._resumes, self._repairs = resume, repairs
        prepare()
        records = np.zeros(size + 1, walk.Model)  # the last is the scout
        records["rng"] = [derive(seed, "model", k) for k in range(size + 1)]
        self.models, self._all = records[:size], records
        self._paths = [Path(game, record) for record in records]
        self._stream = Stream(derive(seed, "bag"))
        self._tokens = np.zeros(64, np.uint64)
        self._seen = self._met = 0  # tokens observed, and those that an update has met
        self._given = 0  # those of them that some model has given, in turn
        self.fallback: str | None = None  # what the last worlds were instead of models, in words
        self._set_state(priors)
        self._state["thorough"] = thorough

    def _set_state(self, priors: bool) -> None:
        """What all models share, where compiled code finds it."""
        own = (Buffer("state", walk.BagState, lambda game: 1), *_LEARNT)
        self._buffers = Buffers((*own, *PLAY), self.game)
        self._state = state = self._buffers["state"][0]
        set_play(state["play"], self.game)
        self._buffers.seat(state["play"])
        self._buffers.seat(state)
        state["viewer"], state["priors"] = self.viewer, priors
        state["memo_words"] = memo_words(self.game) if priors else 0
        state["graded"] = self.game.compiled
        state["models"], state["size"] = address_of(self.models), len(self.models)
        state["stride"] = self._paths[0].stride
        self._address = address_of(self._buffers["state"])

    # --- what is seen ----------------------------------------------------------------------------

    def observe(self, token: int) -> None:
        """Note what the viewer has seen; models follow when they are next asked for."""
        if token == 0:
            return
        if self._seen == len(self._tokens):
            self._tokens = np.concatenate([self._tokens, np.zeros_like(self._tokens)])
        self._tokens[self._seen] = token
        self._seen += 1

    @property
    def observed(self) -> list[int]:
        """The tokens so far."""
        return [int(token) for token in self._tokens[: self._seen]]

    def update(self, seconds: float | None = None) -> Bag:
        """Have every model agree with all that was observed, or go off line at the limit.

        With `seconds` they go off line too when about so much time has passed, all at the same
        number of states. RuleError where no history of the game gives these observations. Call it
        again, in an idle turn, say, to give models that are off line another go.
        """
        for k in np.flatnonzero(self._all["status"] == walk.ALARMED):
            self._paths[int(k)].begin()  # broken off in the middle of a change
        gone = self.models["status"] == walk.OFF_LINE
        self.models["spent"] = 0 if self._resumes else np.where(gone, self.limit, 0)
        self._state["observed"] = address_of(self._tokens)
        ends = None if seconds is None else now() + seconds / 2
        in_steps = ends is not None or self._repairs
        first = FIRST if self.game.compiled else 1  # rules in Python may take long for each
        self._reach(self._seen, first if in_steps else self.limit, self._at_once, ends)
        if self._repairs and self.active < len(self.models):
            self._reach_in_turn(ends)
        elif self.active:
            self._given = self._seen
        self._met = self._seen  # not before: a clock may break the walk off
        repair.keep_all(self._address)
        if self._reseeds:
            self._reseed()
        if self._rebalances:
            self._rebalance()
        return self

    @property
    def _at_once(self) -> int:
        """States that a model may visit for all that is new, before it is met token by token."""
        return min(AT_ONCE, self.limit) if self._repairs else self.limit

    def _reach(self, target: int, bound: int, most: int, ends: float | None) -> None:
        """Have models give so many observations, by up to `most` states each, `bound` at first.

        Walks go on: in steps they come to the same as in one go.
        """
        self._state["target"] = target
        self._walk(min(bound, most))
        while bound < most and self.active < len(self.models) and not _over(ends):
            bound *= 2
            go_on = self._mend if self._repairs and bound > REPAIRED else self._walk
            go_on(min(bound, most))

    def _reach_in_turn(self, ends: float | None) -> None:
        """Have models meet one new observation after the other, each by repairs where they must.

        All that repairs have found for one is there for the next: models that are to meet a dozen
        at once have nobody to learn from. Where a token is met by none, the rest waits.
        """
        for target in range(min(self._given + 1, self._seen), self._seen + 1):
            self.models["spent"] = 0
            self._reach(target, REPAIRED, self.limit, ends)
            repair.keep_all(self._address)
            if not self.active or _over(ends):
                break
            self._given = target
        self._state["target"] = self._seen
        on_line = self.models["status"] == walk.ON_LINE
        self.models["status"][on_line & (self.models["matched"] < self._seen)] = walk.OFF_LINE

    def _walk(self, limit: int) -> None:
        """Walk on with all models until each has visited so many states in this update."""
        self._state["limit"] = limit
        self._run(walk.update)
        if (self.models["status"] == walk.LOST).any():
            what = f"no history of {self.game.name} gives the {self._seen} observations made"
            raise RuleError(what, seed=self.seed, rule="sees")

    def _mend(self, limit: int) -> None:
        """Repair models in place until each has visited so many states in this update."""
        self._state["limit"] = limit
        repair.keep_all(self._address)
        self._run(repair.mend)

    def _run(self, kernel: Callable[[int], int]) -> None:
        """Have a kernel go through all models, with help where one needs it."""
        while (k := int(kernel(self._address))) < len(self.models):
            if self.models[k]["status"] == walk.ALARMED:
                raise_alarm(self.game, self._paths[k].history(), self.seed)
            self._paths[k].grow()

    # --- models ----------------------------------------------------------------------------------

    @property
    def online(self) -> list[int]:
        """The numbers of the models that agree with all that was observed."""
        return [int(k) for k in np.flatnonzero(self.models["status"] == walk.ON_LINE)]

    @property
    def active(self) -> int:
        """How many models are on line, after the last update."""
        return len(self.online)

    @property
    def states(self) -> int:
        """States visited since the bag was made, moves that were tried; a scout's too."""
        return int(self._all["tried"].sum())

    @property
    def joint_states(self) -> int:
        """Of `states`, those after a move of somebody else's that showed the viewer something.

        Where all move at once, as in GDL, a move is a choice and only the last of a joint move is
        seen by others: there these are the joint moves that were tried, which is what the paper
        counts (section 5.5).
        """
        return int(self._all["joint"].sum())

    def histories(self) -> list[tuple[int, ...]]:
        """The moves of each model that is on line, from the start of the game."""
        return [self._paths[k].history() for k in self.online]

    def _scout(self) -> None:
        """Find out which of the moves not tried could have been good, as far as that is cheap."""
        more = len(self.models) * self.limit // SCOUT_SHARE
        self._state["guessed"] = 0
        self._state["scouting"] = int(self._all[-1]["tried"]) + more
        while (status := int(weighing.scout(self._address))) != walk.ON_LINE:
            if status == walk.ALARMED:
                raise_alarm(self.game, self._paths[-1].history(), self.seed)
            self._paths[-1].grow()

    @property
    def exact(self) -> bool:
        """Whether the last shares knew of each move not played if a walk could have played it."""
        return bool(self._state["thorough"]) and int(self._state["guessed"]) == 0

    def _measures(self) -> Any:
        """The Measure of each model that is on line."""
        found = np.zeros(len(self.models), weighing.Measure)
        weighing.measure(self._address, address_of(found))
        return found[self.online]

    def chances(self) -> Reals:
        """The logarithm of P for each model that is on line: the product of equation 6."""
        chances: Reals = self._measures()["chance"]
        return chances

    def shares(self) -> Reals:
        """The weight of each model that is on line, by `weigh`; they sum to 1 (equations 7, 8)."""
        if self.weigh == "inclusion":
            self._scout()
        return shares_of(self._measures(), self.weigh)

    def pool(self, view: Position, wanted: Wanted) -> Pool:
        """The worlds of the models that are on line; the view tells nothing that tokens do not.

        Where there are none in time, the nearest positions that the models have come to, and the
        summary says so. NoWorldError where not even these would do.
        """
        self.fallback = None
        try:
            return self.held(wanted.seconds)
        except NoWorldError:
            found = nearest(self, view)
            if not found:
                raise
            best = int(self.models["matched"].max())
            self.fallback = f"nearest: {best} of {self._seen} observations agree"
            return Pool(found)

    def held(self, seconds: float | None = None) -> Pool:
        """The positions of the models that are on line, by their shares; a label for each model.

        NoWorldError where there are none, even after PATIENCE updates.
        """
        self.follow(seconds)
        positions = [self._position(k) for k in self.online]
        return Pool(positions, self.shares().tolist(), self.online)

    def follow(self, seconds: float | None = None) -> Bag:
        """Update where anything was observed since the last time; at least one model is on line."""
        began = now()
        if self._met < self._seen:
            self.update(seconds)
        for deeper in range(1, PATIENCE + 1):
            late = seconds is not None and now() - began > seconds
            if self.active or late:
                break
            if self._repairs:
                self.dig(deeper)
            self.update(seconds)
        if self.active:
            return self
        what = f"none of {len(self.models)} models agrees with the {self._seen} observations made"
        raise NoWorldError(f"{what}, after {self.states} states")

    def _position(self, k: int) -> Position:
        position = Position(self.game)
        self.game.rules.copy(position.address, self._paths[k].end)
        return position

    def ends(self) -> list[Position]:
        """Where the models stand, those first that agree with the most observations."""
        whole = [int(k) for k in np.flatnonzero(self.models["status"] != walk.ALARMED)]
        whole.sort(key=lambda k: -int(self.models[k]["matched"]))
        return [self._position(k) for k in whole]

    def summary(self) -> dict[str, Any]:
        """How many models there are, how many of them on line, and what they cost."""
        models, active = len(self.models), self.active
        found: dict[str, Any] = {"models": models, "active": active, "states": self.states}
        return {"bag": found if self.fallback is None else {**found, "fallback": self.fallback}}

    # --- remedies --------------------------------------------------------------------------------

    def dig(self, times: int) -> None:
        """Have models that are off line go back further than their walks would.

        The first time by up to half of the path, the second to anywhere on it, then to its start.
        The first such model goes on where it is, so that nothing is left out in the end.
        """
        for k in np.flatnonzero(self.models["status"] == walk.OFF_LINE)[1:]:
            depth = int(self.models[k]["depth"])
            least = depth // 2 if times <= 1 else 0
            back = 0 if times > 2 else least + self._stream.below(depth - least + 1)
            self._paths[int(k)].cut(back)

    def join(self, other: Bag) -> None:
        """Have models that are not on line be copies of those of another bag that are.

        Of the same viewer, who has observed the same; else nothing happens.
        """
        known = other.online if other._met == other._seen else []
        if other.viewer != self.viewer or other.observed != self.observed or not known:
            return
        for k, status in enumerate(self.models["status"].tolist()):
            if self._met == self._seen and status == walk.ON_LINE:
                continue
            if status == walk.ALARMED:
                self._paths[k].begin()
            self._paths[k].become(other._paths[self._stream.choice(known)])
        self._met = self._seen

    def _replace(self, k: int, by: int) -> None:
        """Have model `k` be a copy of another one, with its own stream."""
        self._paths[k].become(self._paths[by])

    def _reseed(self) -> None:
        online = self.online
        for k in np.flatnonzero(self.models["status"] == walk.OFF_LINE) if online else ():
            self._replace(int(k), self._stream.choice(online))

    def _rebalance(self) -> None:
        """Have every history that is in the bag be that of as many models, or of one more."""
        holders: dict[tuple[int, ...], list[int]] = {}
        for k in self.online:
            holders.setdefault(self._paths[k].history(), []).append(k)
        groups = sorted(holders.values(), key=len, reverse=True)
        each, more = divmod(self.active, max(len(groups), 1))
        wanted = [each + (k < more) for k in range(len(groups))]
        spare = [k for group, n in zip(groups, wanted, strict=True) for k in group[n:]]
        for group, n in zip(groups, wanted, strict=True):
            for _ in range(n - len(group)):
                self._replace(spare.pop(), group[0])
