"""A player for any game, which chooses by the game how it plays."""

# Annotations here are real objects, not strings: specs are converted by them, in subclasses too.
import weakref
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from time import monotonic
from typing import Any, Literal

from facedown.agents.base import patience
from facedown.agents.probe import Verdict, prober
from facedown.agents.registry import check_agent, make_agent
from facedown.agents.rehearsal import Rehearsal, Way, rehearsal
from facedown.agents.thinking import Thinker
from facedown.belief.belief import Belief
from facedown.core import Position, SpecError
from facedown.search.report import Report

VALUING = "hyperplay-ii-shared"
"""Who plays where information has value."""

MEANWHILE = "hyperplay"
"""Who plays before that is known."""

OPEN_HOST, HIDDEN_HOST = "so-ismcts", "mo-ismcts"
"""Who plays where information has no value: where nothing is hidden, and where something is."""

MODELS_ALONE = Way(MEANWHILE, iterations=4000, games=40)
"""What is tried in place of the host where something is hidden: no tree."""

TREE = Way(OPEN_HOST, iterations=4000, games=40)
"""What is tried in place of no tree where nothing is hidden and players choose at once."""

SHORT = 0.06
"""Seconds of a decision up to which it is tried whether a tree does better with them.

Beyond, who plays where information has value has the simulations that he needs, and a rehearsal
would take minutes.
"""

AVERAGES = "mast=0.4"
"""How the host plays out where nothing is hidden and a rehearsal shows that it pays."""


@dataclass(eq=False)
class General(Thinker):
    """HyperPlay-II where information has value, else a tree over HyperPlay's bag, the `host`.

    Unless it is named the host is MO-ISMCTS where something is hidden, which has a tree for what
    each player has seen, else SO-ISMCTS.

    So the paper's conclusion: the player of choice is plain HyperPlay, "only utilizing the
    information valuing properties of the HP-II player when the game topology dictates" (section
    7.5). A probe of the rules says whether it does (`facedown.agents.probe`), before the game
    begins and once for a game. Where there is no time for that (`preparing`), the probe goes on
    beside the game: plain HyperPlay plays until it knows better, or the host where a game draws its
    own worlds. Rules in Python are too slow for it, and it waits for others.

    Who plays is then rehearsed (`facedown.agents.rehearsal`), likewise and once for a game: where
    nothing is hidden, whether the host plays out by averages (MAST), else whether `hyperplay` wins
    most games from the host. Where players choose at once a tree of the searcher's observations has
    others answer what they cannot have seen: `hyperplay` plays there, unless the host wins from it.
    Where information has value and a decision has a few hundredths of a second, HyperPlay-II may
    have one or two simulations of a move: a tree plays if it wins most games with that time.
    """

    host: Literal["so-ismcts", "mo-ismcts", "hyperplay"] | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        self._told: list[tuple[int, str, bool]] = []  # tokens, their text; whether overheard
        self._probe = prober(self.game)

    @cached_property
    def inner(self) -> Thinker:
        """Who plays; another one when the probe knows better."""
        if (seconds := patience()) is None:
            self._probe.run()
            if (held := self._rehearsal) is not None:
                held.run()
        elif self.game.compiled:
            deadline = monotonic() + seconds
            weakref.finalize(self, self._probe.stop)
            self._probe.begin()
            self._probe.wait(seconds)
            self._rehearse(deadline - monotonic())
        return self._made()

    @property
    def _host(self) -> str:
        """Who plays where information has no value."""
        if self.host is not None:
            return self.host
        return OPEN_HOST if self.verdict is None or not self.verdict.hidden else HIDDEN_HOST

    @property
    def _rehearsal(self) -> Rehearsal | None:
        """What is to be tried out, by what the probe has found; None: nothing."""
        if self.verdict is None or not self.game.compiled:
            return None
        if self.verdict.valued:
            return self._in_short
        host = self._host
        if self.verdict.hidden:
            tries = host != MEANWHILE and self.game.players > 1  # alone, luck would decide
            return rehearsal(self.game, host, MODELS_ALONE) if tries else None
        if self._together:
            return rehearsal(self.game, MEANWHILE, TREE)
        averages = Way(f"{host}:{AVERAGES}", iterations=300)
        return rehearsal(self.game, host, averages) if self._averages else None

    @property
    def _in_short(self) -> Rehearsal | None:
        """What is tried where information has value; None where there is time for its player.

        The tree is of what the searcher sees, in which finding out has value. In one for each
        player (MO-ISMCTS) the others learn by the worlds what the searcher hides, slowly, and he
        only runs away from them.
        """
        seconds = self.time_limit
        alone = self.game.players == 1  # luck would decide
        if seconds is None or not 0 < seconds <= SHORT or alone or self.iterations is not None:
            return None
        tree = self.host or OPEN_HOST
        few = float(f"{seconds:.1g}")  # what differs by little is tried once
        return rehearsal(self.game, VALUING, Way(tree, cpu=few, games=100, likely=0.5))

    def _rehearse(self, seconds: float = 0.0) -> None:
        """Rehearse beside whatever goes on, if there is anything to try; wait so long for it."""
        held = self._rehearsal
        if held is not None and held.verdict is None:
            weakref.finalize(self, held.stop)
            held.begin()
            held.wait(seconds)

    @cached_property
    def _averages(self) -> bool:
        """Whether the host can play out by averages; not where it has a policy of the game's."""
        try:
            check_agent(f"{self._host}:{AVERAGES}", self.game)
        except SpecError:
            return False
        return True

    def prepare(self) -> None:
        _ = self.inner

    @property
    def verdict(self) -> Verdict | None:
        """What the probe found; None before it is done."""
        return self._probe.verdict

    @property
    def wanted(self) -> str:
        """Who should play, by what is known now."""
        if (held := self._rehearsal) is not None and held.verdict:
            return held.other.spec
        if self.verdict is None:
            return self._host if self.game.has("determinize") else MEANWHILE
        if self.verdict.valued:
            return VALUING
        return MEANWHILE if self._together else self._host

    @property
    def _together(self) -> bool:
        """Whether nothing is hidden but what others choose at once, and no host was asked for."""
        found = self.verdict is not None and self.verdict.together and not self.verdict.hidden
        return found and self.host is None and self.game.compiled

    def _made(self) -> Thinker:
        """The player of choice, told all that was seen so far."""
        self.chosen = self.wanted
        made = make_agent(self._spec(self.chosen), self.game, self.player, self.seed)
        assert isinstance(made, Thinker)
        for token, text, overheard in self._told:
            made.overhear(token) if overheard else made.observe(token, text)
        return made

    def _spec(self, name: str) -> str:
        """An agent with the budget of this one."""
        budget = {
            "iterations": self.iterations,
            "seconds": self._most_seconds,
            "cpu": self.cpu,
        }
        given = ",".join(f"{key}={value}" for key, value in budget.items() if value is not None)
        return f"{name}{',' if ':' in name else ':'}{given}" if given else name

    def require(self) -> None:
        for name in (VALUING, *((OPEN_HOST, HIDDEN_HOST) if self.host is None else (self.host,))):
            check_agent(self._spec(name), self.game)

    @property
    def beliefs(self) -> dict[int, Belief]:
        """Those of whoever plays."""
        return self.inner.beliefs

    @property
    def remembers(self) -> bool:
        return self.inner.remembers

    def observe(self, token: int, text: str) -> None:
        self._told.append((token, text, False))
        self.inner.observe(token, text)

    def overhear(self, token: int) -> None:
        self._told.append((token, "", True))
        self.inner.overhear(token)

    def clocked(self, player: int, seconds: float) -> None:
        self.inner.clocked(player, seconds)

    def pace(self) -> float | None:
        return self.inner.pace()

    def allow(self, seconds: float) -> None:
        super().allow(seconds)
        inner = self.inner
        self._ask_on()
        if self.chosen != self.wanted:  # it knows better now
            inner = self.inner = self._made()
        inner.allow(seconds)

    def _ask_on(self) -> None:
        """Go on finding out what there was no time for before."""
        if self.verdict is None and self.game.compiled:
            self._probe.begin()
        else:
            self._rehearse()

    def choose(self, view: Position, legal: Sequence[int]) -> int:
        move = self.inner.choose(view, legal)
        self.search, self._report = self.inner.search, None
        return move

    def so_far(self) -> int | None:
        return self.inner.so_far()

    def report(self) -> Report:
        return self.inner.report()

    @property
    def states(self) -> int:
        return self.inner.states

    def summary(self) -> dict[str, Any] | None:
        found = self.inner.summary()
        return None if found is None else {"plays": self.chosen, **found}
