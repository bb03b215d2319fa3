"""A player's mind for one match after another: it reads rules, follows what it is told, decides.

It runs in a process of its own (`facedown.ggp.worker`), where a clock can interrupt it and where it
can be ended at any time, whatever rules or agents do.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from time import monotonic
from typing import TypeVar

from facedown.agents.base import Agent, RandomAgent, preparing
from facedown.agents.registry import agent_class, check_agent, make_agent
from facedown.arena.clock import Overrun, limited
from facedown.belief import hyperplay
from facedown.belief.belief import NoWorldError
from facedown.belief.hyperplay import Bag
from facedown.core import FacedownError, Game, SpecError, Stream, derive
from facedown.core.compiled import build as made_of
from facedown.core.plain import adapt
from facedown.games.registry import load_game
from facedown.gdl import building, memory
from facedown.gdl.building import Build
from facedown.gdl.checks import checked
from facedown.gdl.game import NetworkGame
from facedown.gdl.lifted_game import lifted_game
from facedown.gdl.reader import read
from facedown.gdl.syntax import Description, Term
from facedown.ggp.guess import guessed
from facedown.ggp.messages import Start, Told, one_line, read_term, spelled, spelling_of
from facedown.ggp.seat import HiddenSeat, OpenSeat, Sight
from facedown.ggp.told import asked_again, joint_of, perceived
from facedown.ggp.vocabulary import Vocabulary, vocabulary
from facedown.ggp.worker import NO_MATCH

GROUNDING = 0.6
"""Of the start clock: how long the rule network is waited for before the lifted reasoner plays."""

MOVING = 0.4
"""Of a move's time: what changing over to a network that is ready then may take."""

FOLLOWING = 0.3
"""Of the play clock: what finding histories that fit may take in GDL-II, beside the agent's own."""

THINKING = 0.8
"""Of what is left then: what the agent is allowed; beyond all of it it is interrupted."""

READING = 0.1
"""Seconds to see what an agent has found that was interrupted."""

STANDS_IN = "hyperplay"
"""Who plays where the agent that is wanted cannot."""

_WARM = ("monty-hall", "tic-tac-toe")  # one of GDL-II, one of GDL
_SOURCE = "rules"

T = TypeVar("T")

Tell = Callable[[Sequence[str]], None]
"""Is told the legal moves as soon as they are known, in case the mind does not come back."""


@dataclass
class MatchMemory:
    """What a mind keeps of the match that it plays."""

    start: Start
    description: Description
    words: Vocabulary
    seat: OpenSeat | HiddenSeat
    agent: Agent | None  # None where there was no time yet to make it
    seed: int  # of the agent
    spelling: dict[str, str]
    stream: Stream
    answer: Term | None = None  # the last one given
    made: int = 0  # moves that it has taken in, those of others in its place too
    lost: str = ""  # why nothing is known of the position any more
    note: str = ""  # why nothing was known of it when it was last looked for


Exchange = tuple[Told | None, str]
"""What a manager told before a move, None before the first, and what it was answered."""


class Mind:
    """Plays by an agent's spec. SpecError, with what is wrong, where a match cannot be played."""

    def __init__(self, spec: str, seed: int) -> None:
        self.spec, self.seed = spec, seed
        self._matches = 0
        self._match: MatchMemory | None = None
        self._build: Build | None = None  # of the network of a match that is played without

    def warm_up(self) -> None:
        """Check the spec, and have all that is compiled ready, on games of the library."""
        building.prepare()
        memory.prepare()  # of the lifted reasoner, which plays where a network is late
        hyperplay.prepare()  # a seat in GDL-II has a bag, whatever the agent has
        for name in _WARM:
            game = load_game(name)
            if agent_class(self.spec, game).cheats:
                raise SpecError(f"{self.spec} wants to see what no manager tells")
            check_agent(self.spec, game)
            agent = make_agent(self.spec, game, 0, self.seed)
            position = game.start()
            while position.turn() != 0:
                position.play(position.legal()[0])
            agent.allow(0.05)
            agent.choose(*position.offer(0))

    # --- a match ---------------------------------------------------------------------------------

    def preview(self, rules: str, seconds: float) -> str:
        """Read rules that may be played later."""
        _timed(seconds, lambda: checked(read(rules, _SOURCE)))
        return "the rules can be read"

    def start(self, start: Start, seconds: float) -> str:
        """Get ready for a match within so many seconds; how it will be played.

        They count from now: a mind that comes in for another needs them, however late it is.
        """
        self.stop()
        seconds = max(seconds, 0.1)
        deadline = monotonic() + seconds

        def left() -> float:
            return max(deadline - monotonic(), 0.05)

        description = _timed(left(), lambda: checked(read(start.rules, _SOURCE)))
        game, how = self._game(description, GROUNDING * seconds, left)
        self._matches += 1
        self._match, note = self._seated(start, description, game, left())
        return f"{how}{note}"

    def _game(
        self, description: Description, share: float, left: Callable[[], float]
    ) -> tuple[Game, str]:
        """By a rule network, or by the lifted reasoner until there is one."""
        build = Build(description)
        if build.wait(min(share, left())):
            try:
                return _by_network(description, build), "by a rule network"
            except SpecError as error:
                lacking = str(error)
        else:
            self._build = build
            lacking = f"no rule network after {share:.1f} s, it goes on"
        slow = _timed(left(), lambda: adapt(lifted_game(description, lacking), "gdl:rules"))
        return slow, f"by the lifted reasoner ({one_line(lacking, 100)})"

    def _seated(
        self, start: Start, description: Description, game: Game, seconds: float
    ) -> tuple[MatchMemory, str]:
        """The match as it begins, played by this game, and a note on who plays it."""
        words = vocabulary(game, description, start.role)
        seed = derive(self.seed, "match", self._matches)
        seat = OpenSeat(words) if description.perfect else HiddenSeat(words, derive(seed, "seat"))
        own = derive(seed, "agent")
        agent, note = self._agent(game, words.player, own, seconds)
        stream, spelling = Stream(derive(seed, "fall-back")), spelling_of(start.rules)
        return MatchMemory(start, description, words, seat, agent, own, spelling, stream), note

    def _agent(
        self, game: Game, player: int, seed: int, seconds: float
    ) -> tuple[Agent | None, str]:
        """The agent, or one that stands in where it cannot play; None where there is no time."""

        def made(spec: str) -> Agent:
            with preparing(0.5 * seconds):
                agent = make_agent(spec, game, player, seed)
            agent.require()
            return agent

        try:
            return limited(seconds, lambda: made(self.spec)), ""
        except Overrun as error:
            return None, f", {_said(error)} for {self.spec}"
        except Exception as error:
            wrong = _said(error)
        try:
            return limited(seconds, lambda: made(STANDS_IN)), f", by {STANDS_IN}: {wrong}"
        except (Exception, Overrun):
            return RandomAgent(game, player, seed), f", at random: {wrong}"

    # --- a move ----------------------------------------------------------------------------------

    def play(
        self, steps: Sequence[Exchange], told: Told | None, deadline: float, tell: Tell
    ) -> tuple[str, str]:
        """A move by a time of the monotonic clock, as text, and a note on what went wrong.

        Where nothing is known of the position it is empty.

        `steps` are all moves of the match before this one: this mind may have been late for some,
        or may have come in for another. `told` is what happened in the last one; None before any.
        """
        match, moved = self._playing(), ""
        if (fresh := self._moved_over(match, steps, deadline)) is not None:
            match = self._match = fresh
            moved = "by a rule network from now on"
        self._catch_up(match, steps, deadline)
        if steps:
            match.answer = read_term(steps[-1][1])
        sight = self._take_in(match, told, deadline)
        if sight is None:
            guess = self._guessed(match, deadline)
            return "" if guess is None else self._answered(match, guess), match.note
        tell([spelled(match.words.term(move), match.spelling) for move in sight.legal])
        move, note = sight.legal[0], moved
        if len(sight.legal) > 1:
            move, wrong = self._chosen(match, sight, deadline)
            note = "; ".join(filter(None, (moved, wrong)))
        return self._answered(match, match.words.term(move)), note

    def _catch_up(
        self, match: MatchMemory, steps: Sequence[Exchange], deadline: float
    ) -> Sight | None:
        """Take in what the match lacks of all steps; what was seen at the last of them."""
        sight = None
        for before, answer in steps[match.made :]:
            sight = self._take_in(match, before, deadline)
            match.answer = read_term(answer)
        return sight

    def _moved_over(
        self, match: MatchMemory, steps: Sequence[Exchange], deadline: float
    ) -> MatchMemory | None:
        """The match by the rule network, with all its steps, if that is ready now and can follow.

        It is made aside: if time runs out on it, the match goes on as before, and the next move
        tries again.
        """
        if self._build is None or not self._build.done:
            return None
        build, soon = self._build, monotonic() + MOVING * max(deadline - monotonic(), 0.05)
        try:
            game = _by_network(match.description, build)
        except SpecError as error:
            self._build, match.note = None, _said(error)
            return None
        fresh, _ = self._seated(match.start, match.description, game, soon - monotonic())
        sight = self._catch_up(fresh, steps, soon)
        if fresh.lost or (steps and sight is None):
            return None
        self._build = None
        return fresh

    def _take_in(self, match: MatchMemory, told: Told | None, deadline: float) -> Sight | None:
        """What the player sees after what it is told; None where nothing is known any more."""
        self._follow(match, told)
        match.made += 1
        return None if match.lost else self._look(match, max(deadline - monotonic(), 0.05))

    def _follow(self, match: MatchMemory, told: Told | None) -> None:
        """Take in what a manager tells of a step; the match is `lost` where that cannot be."""
        if told is None or match.lost:
            return
        try:
            if isinstance(match.seat, OpenSeat):
                if not asked_again(match.description, told, match.made):
                    match.seat.advance(joint_of(match.description, told, match.answer))
            else:
                role = match.words.role
                match.seat.advance(*perceived(match.description, role, told, match.answer))
        except FacedownError as error:
            match.note = match.lost = _said(error)

    def _look(self, match: MatchMemory, seconds: float) -> Sight | None:
        """What the player sees; None where nothing is found that fits what it was told.

        If nothing can fit, the match is `lost`; for want of time the next move goes on with it.
        """
        share = FOLLOWING * seconds
        try:
            return limited(2 * share, lambda: match.seat.sight(share))
        except (NoWorldError, Overrun) as error:
            match.note = _said(error)
        except FacedownError as error:
            match.note = match.lost = _said(error)
        return None

    def _guessed(self, match: MatchMemory, deadline: float) -> Term | None:
        """A move by the best knowledge there is where the position is not known; None: by none."""
        seconds, seat, found = max(deadline - monotonic(), 0.01), match.seat, None
        if isinstance(seat, HiddenSeat):
            try:
                until = monotonic() + THINKING * seconds
                found = limited(seconds, lambda: guessed(seat, match.stream, until))
            except (FacedownError, Overrun) as error:
                match.note = f"{match.note}; nor is one guessed: {_said(error)}"
        return found

    def _informed(self, match: MatchMemory, agent: Agent, seconds: float) -> None:
        """Tell an agent what it has not heard; its bag, if it loses track, has the seat's models.

        The clock does not strike while it is told: it must hear everything once.
        """
        match.seat.inform(agent)
        bag = getattr(agent, "beliefs", {}).get(match.words.player)
        if isinstance(bag, Bag) and isinstance(match.seat, HiddenSeat):
            try:
                limited(FOLLOWING * seconds, lambda: bag.follow(0.5 * FOLLOWING * seconds))
            except (NoWorldError, Overrun):
                bag.join(match.seat.bag)

    def _chosen(self, match: MatchMemory, sight: Sight, deadline: float) -> tuple[int, str]:
        seconds = max(deadline - monotonic(), 0.01)
        if match.agent is None:
            match.agent, wrong = self._agent(
                match.words.game, match.words.player, match.seed, 0.5 * seconds
            )
        if (agent := match.agent) is None:
            return match.stream.choice(sight.legal), f"any legal move{wrong}"

        def choose() -> int:
            agent.allow(THINKING * seconds)
            return agent.choose(sight.view, list(sight.legal))

        try:
            self._informed(match, agent, seconds)
            seconds = max(deadline - monotonic(), 0.01)
            move = limited(seconds, choose)
        except (Exception, Overrun) as error:
            return self._unfinished(match, sight, agent, error)
        if move not in sight.legal:
            return match.stream.choice(sight.legal), f"any legal move: {move} is not legal"
        return int(move), ""

    def _unfinished(
        self, match: MatchMemory, sight: Sight, agent: Agent, error: BaseException
    ) -> tuple[int, str]:
        """The best move that an agent has found who did not come to its end; else any."""
        so_far = getattr(agent, "so_far", None)
        if isinstance(error, Overrun) and so_far is not None:
            with suppress(Exception, Overrun):  # its owner answers soon, whatever comes
                found = limited(READING, so_far)
                if found in sight.legal:
                    return int(found), f"the best move so far: {_said(error)}"
        return match.stream.choice(sight.legal), f"any legal move: {_said(error)}"

    def _answered(self, match: MatchMemory, term: Term) -> str:
        match.answer = term
        return spelled(term, match.spelling)

    def _playing(self) -> MatchMemory:
        if self._match is None:
            raise SpecError(NO_MATCH)
        return self._match

    def stop(self) -> None:
        """Forget the match."""
        self._match = None
        if self._build is not None:
            self._build.end()
            self._build = None


def _by_network(description: Description, build: Build) -> Game:
    """The game of a network that is built; SpecError where there is none."""
    return made_of(NetworkGame(description, network=build.result()), "gdl:rules")


def _timed(seconds: float, call: Callable[[], T]) -> T:
    try:
        return limited(seconds, call)
    except Overrun:
        raise SpecError(f"the rules cannot be read in {seconds:.1f} s") from None


def _said(error: BaseException) -> str:
    """An error in a line."""
    if isinstance(error, Overrun):
        return "no time was left"
    return one_line(f"{type(error).__name__}: {error}")
