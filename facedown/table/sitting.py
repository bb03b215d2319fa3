"""One game of people and agents, whatever window shows it: decisions, marks, moves taken back."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Protocol

from facedown.arena.apart.seat import Isolation
from facedown.arena.game import Header, play_game
from facedown.arena.guarded import Closing, LeaveError
from facedown.arena.planned import maker
from facedown.arena.replay import replay
from facedown.arena.results import scores
from facedown.core import CHANCE, OVER, Game, Position, derive
from facedown.store.records import HUMAN, GameRecord, RecordError
from facedown.table.person import Person, TakeBackError
from facedown.table.together import Foreseen, foreseen

HINTED, TAKEN_BACK = "hint", "undo"
"""Marks of a game: whoever has one of them was assisted."""

HURRIED = "hurried"
"""In the summary of a decision whose search was cut short because people were waiting."""


@dataclass(frozen=True)
class Decision:
    """A decision that was made: by whom, which of the legal moves by its place, and its summary.

    `text` is the move in words, against which it is checked when it is told again; `seconds` is
    what it took, and `pace` how long others saw it take, None where that means nothing.
    """

    player: int
    place: int
    summary: dict[str, Any] | None
    pace: float | None = None
    text: str = ""
    seconds: float = 0.0


class ChangedError(LeaveError):
    """A decision of the past is not legal any more: the rules are others. No agent's fault."""


class Host(Protocol):
    """Where a sitting takes place: asks people and shows them what they may see, never more."""

    def person(self, game: Game, player: int, seed: int) -> Person:
        """The person at this seat."""

    def thinking(self, agent: Any, player: int) -> AbstractContextManager[Any]:
        """What lasts while a player's agent, or a person, chooses.

        What it yields may say that the search was `hurried`: cut short for the sake of others.
        """

    def shown(self, player: int, view: Position, turn: int) -> None:
        """What a person's seat sees now, after every move, and whose turn it is."""

    def foreseen(self, ahead: Sequence[Foreseen]) -> None:
        """People who can decide now, though it is not their turn: nobody will see more by then."""

    def decided(self, made: Decision) -> None:
        """A decision was made."""

    def taken_back(self, left: int) -> None:
        """Only so many decisions are left."""


class Retold(Closing):
    """An agent whose first decisions are those of the past; then it decides for itself.

    It is told every observation all along, so that it knows where it is.
    """

    def __init__(self, agent: Any, player: int, sitting: Sitting) -> None:
        self._agent, self._player, self._sitting = agent, player, sitting
        self._past = [made for made in sitting.decisions if made.player == player]
        self._summary: dict[str, Any] | None = None
        self._pace: float | None = None

    @property
    def cheats(self) -> bool:
        """Whether the agent behind it does."""
        return bool(getattr(self._agent, "cheats", False))

    def observe(self, token: int, text: str) -> None:
        """Pass on what was seen."""
        self._agent.observe(token, text)

    def overhear(self, token: int) -> None:
        """Pass on what the public saw."""
        told = getattr(self._agent, "overhear", None)
        if told is not None:
            told(token)

    def clocked(self, player: int, seconds: float) -> None:
        """Pass on how long another took."""
        told = getattr(self._agent, "clocked", None)
        if told is not None:
            told(player, seconds)

    def pace(self) -> float | None:
        """That of the last decision."""
        return self._pace

    def choose(self, view: Position, legal: Sequence[int]) -> int:
        """The move of the past, or a new one, which is noted."""
        if self._past:
            return self._again(self._past.pop(0), view, legal)
        began = time.perf_counter()
        with self._sitting.host.thinking(self._agent, self._player) as place:
            move: int = self._agent.choose(view, legal)
            offered = getattr(self._agent, "summary", None)
            self._summary = offered() if offered is not None else None
            if getattr(place, "hurried", False):
                self._summary = {**(self._summary or {}), HURRIED: True}
            paced = getattr(self._agent, "pace", None)
            self._pace = paced() if paced is not None else None
        if move in legal:
            place, text = list(legal).index(move), view.game.move_text(move)
            took = time.perf_counter() - began
            self._sitting.note(Decision(self._player, place, self._summary, self._pace, text, took))
        return move

    def _again(self, made: Decision, view: Position, legal: Sequence[int]) -> int:
        """A decision of the past."""
        if made.place >= len(legal) or made.text != view.game.move_text(legal[made.place]):
            raise ChangedError(f"{made.text!r} of player {made.player} is not legal there any more")
        move = legal[made.place]
        if isinstance(self._agent, Person):
            self._agent.played(view, legal, move)
        self._summary, self._pace = made.summary, made.pace
        return move

    def summary(self) -> dict[str, Any] | None:
        """That of the last decision."""
        return self._summary

    def close(self) -> None:
        """Have the agent let go, where it holds anything."""
        if isinstance(self._agent, Closing):
            self._agent.close()


class Sitting:
    """One game of people and agents.

    `specs` has the spec of every player, HUMAN where a person sits. The same seed and number give
    the same deal (`deal_seed` names another one) and the same opponents. `decisions` are those that
    were made already, of a game that is taken up again. `marks` say why it counts as assisted.
    """

    def __init__(
        self,
        game: Game,
        specs: Sequence[str],
        host: Host,
        *,
        seed: int,
        number: int = 0,
        deal_seed: int | None = None,
        consent: bool = False,
        isolation: Isolation | None = None,
        decisions: Iterable[Decision] = (),
        marks: Iterable[str] = (),
    ) -> None:
        self.consent = consent
        self.game, self.specs, self.host = game, tuple(specs), host
        self.seats = tuple(p for p, spec in enumerate(self.specs) if spec == HUMAN)
        self.decisions = list(decisions)
        self.marks = set(marks)
        self.people: dict[int, Person] = {}
        self._header = Header(self.specs, seed, number, number)
        self._deal_seed = derive(seed, "deal", number) if deal_seed is None else deal_seed
        self._isolation = isolation or Isolation()

    def play(self) -> GameRecord:
        """Play to the end; a LeaveError of a person's passes, unless it takes a move back.

        RecordError where the rules are not those that decisions of the past were made by.
        """
        while True:
            makers = [partial(self._make, spec) for spec in self.specs]
            try:
                record = play_game(
                    self.game, makers, self._deal_seed, header=self._header, watch=self._watch
                )
            except TakeBackError:
                self._take_back()
                continue
            except ChangedError as error:
                raise RecordError(str(error)) from None
            if any(person.hinted for person in self.people.values()):
                self.marks.add(HINTED)
            moves = self._timed(record)
            assisted = bool(self.marks)
            return replace(record, moves=moves, assisted=assisted, consent=self.consent)

    def _timed(self, record: GameRecord) -> Any:
        """The moves of a record with the times that decisions took when they were made."""
        made = iter(self.decisions)
        return tuple(
            move if move.player == CHANCE else replace(move, seconds=next(made).seconds)
            for move in record.moves
        )

    def _watch(self, truth: Position) -> None:
        """Show every person what their seat sees; once the game is over, all there is."""
        turn = truth.turn()
        for player in self.seats:
            seen = truth.copy() if turn == OVER else truth.view(player)
            self.host.shown(player, seen, turn)
        if len(self.seats) > 1:
            self.host.foreseen([one for one in foreseen(truth) if one.player in self.seats])

    def _make(self, spec: str, game: Game, player: int) -> Any:
        seed = derive(self._header.seed, "agent", self._header.number, player)
        if spec != HUMAN:
            return Retold(maker(spec, seed, self._isolation)(game, player), player, self)
        self.people[player] = self.host.person(game, player, seed)
        return Retold(self.people[player], player, self)

    def note(self, made: Decision) -> None:
        """A decision was made."""
        self.decisions.append(made)
        self.host.decided(made)

    def can_undo(self, player: int) -> bool:
        """Whether there is a decision to take back, by the only person there."""
        alone = self.seats == (player,)
        return alone and any(made.player == player for made in self.decisions)

    def _take_back(self) -> None:
        """Forget the person's last decision and all that came after it."""
        self.marks.add(TAKEN_BACK)
        while self.decisions.pop().player not in self.seats:
            pass
        self.host.taken_back(len(self.decisions))


def name_of(player: int, specs: Sequence[str]) -> str:
    """A player by name: You, or the agent's spec (with the number where several have it)."""
    spec = specs[player]
    if spec == HUMAN:
        return "You"
    return f"{spec} (player {player})" if specs.count(spec) > 1 else spec


def result_text(record: GameRecord, seat: int | None = None) -> str:
    """The result of a game in words, from a person's side, the first one's unless told."""
    seat = record.agents.index(HUMAN) if seat is None else seat
    if len(record.payoffs) == 1:  # nobody to win from
        return f"You end with {record.payoffs[seat]:g}"
    score = scores(record.payoffs)
    verdict = "You win" if score[seat] else "You lose"
    if min(score) == 0.5:
        verdict = "A draw"
    elif score[seat] == 0.5:  # a side wins together
        partners = [f"player {p}" for p, own in enumerate(score) if own and p != seat]
        verdict += f" with {' and '.join(partners)}"
    others = [
        f"{name_of(player, record.agents)} {pay:+g}"
        for player, pay in enumerate(record.payoffs)
        if player != seat
    ]
    return f"{verdict}: {record.payoffs[seat]:+g} for you, {', '.join(others)}"


def reveal(record: GameRecord, game: Game) -> str:
    """The whole table at the end of a game, nothing hidden."""
    return replay(record, game).text(record.agents.index(HUMAN))
