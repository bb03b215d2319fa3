"""One person against agents: games one after another, with moves taken back on request."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from facedown.agents.base import Agent
from facedown.arena.apart.seat import Isolation
from facedown.arena.game import Header, play_game
from facedown.arena.guarded import Closing
from facedown.arena.planned import maker
from facedown.arena.replay import replay
from facedown.arena.results import scores
from facedown.core import Game, Position, derive
from facedown.store.records import HUMAN, GameRecord
from facedown.table.human import HINT, Human, TakeBackError
from facedown.table.terminal import Terminal


@dataclass(frozen=True)
class Decision:
    """A decision that was made: by whom, which of the legal moves by its place, and its summary.

    `pace` is how long others saw it take, None where that means nothing.
    """

    player: int
    place: int
    summary: dict[str, Any] | None
    pace: float | None = None


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
            made = self._past.pop(0)
            if isinstance(self._agent, Human):
                self._agent.played(view, legal, legal[made.place])
            self._summary, self._pace = made.summary, made.pace
            return legal[made.place]
        with self._sitting.thinking(self._agent, self._player):
            move: int = self._agent.choose(view, legal)
            offered = getattr(self._agent, "summary", None)
            self._summary = offered() if offered is not None else None
            paced = getattr(self._agent, "pace", None)
            self._pace = paced() if paced is not None else None
        if move in legal:
            made = Decision(self._player, list(legal).index(move), self._summary, self._pace)
            self._sitting.decisions.append(made)
        return move

    def summary(self) -> dict[str, Any] | None:
        """That of the last decision."""
        return self._summary

    def close(self) -> None:
        """Have the agent let go, where it holds anything."""
        if isinstance(self._agent, Closing):
            self._agent.close()


class Sitting:
    """One game of a person at `seat` against the agents of the other players.

    `specs` has the spec of every player, HUMAN at the seat. The same seed and number give the same
    deal and the same opponents.
    """

    def __init__(
        self,
        game: Game,
        specs: Sequence[str],
        terminal: Terminal,
        *,
        seed: int,
        number: int = 0,
        hint: str = HINT,
        consent: bool = False,
        isolation: Isolation | None = None,
    ) -> None:
        self.consent = consent
        self.game, self.specs, self.terminal = game, tuple(specs), terminal
        self.seat = self.specs.index(HUMAN)
        self.decisions: list[Decision] = []
        self.assisted = False
        self._seed, self._number, self._hint = seed, number, hint
        self._isolation = isolation or Isolation()
        self._human: Human | None = None

    @property
    def news(self) -> list[str]:
        """What the person has seen since their last decision."""
        return self._human.news if self._human is not None else []

    def play(self) -> GameRecord:
        """Play to the end; a QuitError passes."""
        header = Header(self.specs, self._seed, self._number, self._number)
        while True:
            makers = [partial(self._make, spec) for spec in self.specs]
            try:
                record = play_game(
                    self.game, makers, derive(self._seed, "deal", self._number), header=header
                )
            except TakeBackError:
                self._take_back()
                continue
            hinted = self._human is not None and self._human.hinted
            assisted = self.assisted or hinted
            return replace(record, assisted=assisted, consent=self.consent)

    def _make(self, spec: str, game: Game, player: int) -> Any:
        seed = derive(self._seed, "agent", self._number, player)
        if spec != HUMAN:
            return Retold(maker(spec, seed, self._isolation)(game, player), player, self)
        self._human = Human(game, player, seed, self.terminal, self._hint)
        return Retold(self._human, player, self)

    def _take_back(self) -> None:
        """Forget the person's last decision and all that came after it."""
        self.assisted = True
        while self.decisions.pop().player != self.seat:
            pass
        self.terminal.say("taken back", "yellow")

    def thinking(self, agent: Agent, player: int) -> Any:
        """What to show while a player's agent chooses."""
        if isinstance(agent, Human):
            agent.can_undo = any(made.player == self.seat for made in self.decisions)
            return nullcontext()
        if not self.terminal.console.is_terminal:
            return nullcontext()
        return self.terminal.console.status(f"player {player} is thinking")


def name_of(player: int, specs: Sequence[str]) -> str:
    """A player by name: You, or the agent's spec (with the number where several have it)."""
    spec = specs[player]
    if spec == HUMAN:
        return "You"
    return f"{spec} (player {player})" if specs.count(spec) > 1 else spec


def result_text(record: GameRecord) -> str:
    """The result of a game in words, from the person's side."""
    seat = record.agents.index(HUMAN)
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
