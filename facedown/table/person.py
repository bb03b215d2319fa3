"""A person as an agent, whatever window shows the table: gets views only, like everyone there."""

# Annotations here are real objects, not strings: see facedown.agents.base.
import time
from abc import abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from facedown.agents.analysis import beliefs, believes, inferred, infers, report_of
from facedown.agents.base import Agent
from facedown.agents.registry import make_agent
from facedown.arena.guarded import LeaveError
from facedown.belief.belief import Marginals
from facedown.core import Position
from facedown.search.report import Report

HINT = "so-ismcts:seconds=1"
"""Who gives hints unless told otherwise."""


class TakeBackError(LeaveError):
    """The person wants the last decision back. No fault of an agent's."""


class QuitError(LeaveError):
    """The person leaves the table, or the input has ended. No fault of an agent's."""


@dataclass(eq=False)
class Person(Agent):
    """Keeps what a person has seen, for their window and for who gives hints.

    A window says how the person is asked (`asked`). `can_undo` says whether there is a decision to
    take back, and `hinted` whether a hint was taken.
    """

    hint: str = HINT
    can_undo: bool = False
    news: list[str] = field(default_factory=list)
    hinted: bool = False

    def __post_init__(self) -> None:
        super().__post_init__()
        self._story: list[Callable[[Agent], object]] = []  # all that befell, for who gives hints
        self._tokens: list[int] = []  # all that was seen
        self._said = ""  # the own move, until it is seen
        self._seconds: float | None = None  # of the last choice
        self.adviser: Agent | None = None  # who gives a hint now, or gave the last one

    @abstractmethod
    def asked(self, view: Position, legal: Sequence[int]) -> int:
        """The person's move, once they have chosen it; a LeaveError where they leave."""

    def observe(self, token: int, text: str) -> None:
        """Keep what was seen until the next turn.

        What the own move has shown is news too, the votes if one's own was the last, the points
        that a card made; but not its mere name.
        """
        self._story.append(lambda agent: agent.observe(token, text))
        self._tokens.append(token)
        if not self._said or plain(text) != self._said:
            self.news.append(self.game.observation_words(token, self.player, text))
        self._said = ""

    def overhear(self, token: int) -> None:
        self._story.append(lambda agent: agent.overhear(token))

    def clocked(self, player: int, seconds: float) -> None:
        self._story.append(lambda agent: agent.clocked(player, seconds))

    def pace(self) -> float | None:
        return self._seconds

    def played(self, view: Position, legal: Sequence[int], move: int) -> None:
        """A move is made in this view; what was seen before it is no news any more."""
        self.news.clear()
        self._said, seen, moves = plain(self.game.move_text(move)), view.copy(), list(legal)
        self._story.append(lambda a: a.choose(seen.copy(), moves) if infers(a) else None)

    def choose(self, view: Position, legal: Sequence[int]) -> int:
        began = time.perf_counter()
        move = self.asked(view, legal)
        self._seconds = time.perf_counter() - began
        self.played(view, legal, move)
        return move

    def advice(self, view: Position, legal: Sequence[int]) -> Report:
        """What a search would do here; FacedownError where the game cannot be searched."""
        report = report_of(self._adviser(), self.hint, view.copy(), legal)
        self.hinted = True
        return report

    def believed(self, view: Position, legal: Sequence[int]) -> tuple[str, Marginals]:
        """Who believes it, and what may be hidden: as the adviser believes, if it remembers.

        Else by the rules. FacedownError where there are no worlds.
        """
        adviser = self._adviser()
        if believes(adviser):
            if infers(adviser):
                adviser.choose(view.copy(), legal)  # rules out what cannot be in this view
            said, shares = f"what {self.hint} believes here:", inferred(adviser, view)
        else:
            said = "what may be hidden, others' moves taken as if made at random:"
            seed, seen = self.stream.bits(), self._tokens
            shares = beliefs(view, self.player, observed=seen, seed=seed)
        self.hinted = self.hinted or bool(shares)
        return said, shares

    def _adviser(self) -> Agent:
        """Who gives hints, told all that the person was, and asked wherever the person was."""
        adviser = make_agent(self.hint, self.game, self.player, self.stream.bits())
        for happening in self._story:
            happening(adviser)
        self.adviser = adviser
        return adviser


def gathered(news: Sequence[str], players: int) -> list[str]:
    """News with the lines of a deal, which differ in their last word alone, told as one each.

    Such lines come one after another, or one for each player in turn, three times or more.

    >>> gathered(["you get 5", "she gets one"] * 2 + ["you get 9", "she gets one", "she bets"], 2)
    ['you get 5, 5, 9', 'she gets one, 3 times', 'she bets']
    """
    groups: list[list[str]] = []
    lately: list[list[str]] = []  # the groups of the last lines, one for each player
    for text in news:
        stem = text.rpartition(" ")[0]
        group = next((g for g in lately if stem and g[0].rpartition(" ")[0] == stem), None)
        if group is None:
            group = []
            groups.append(group)
        group.append(text)
        lately = [*lately, group][-players:]
    return [line for group in groups for line in _told(group)]


def _told(group: list[str]) -> list[str]:
    if len(group) < 3:
        return group
    if len(set(group)) == 1:
        return [f"{group[0]}, {len(group)} times"]
    return [", ".join([group[0], *(text.rpartition(" ")[2] for text in group[1:])])]


def plain(text: str) -> str:
    """A text in small letters with single blanks, to compare it."""
    return " ".join(text.lower().split())
