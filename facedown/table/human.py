"""A person as an agent: gets views only, like everyone at the table."""

# Annotations here are real objects, not strings: see facedown.agents.base.
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from facedown.agents.analysis import beliefs, believes, inferred, infers, report_of
from facedown.agents.base import Agent
from facedown.agents.registry import make_agent
from facedown.arena.guarded import LeaveError
from facedown.core import FacedownError, Game, Position
from facedown.table.explain import bars, candidates_table
from facedown.table.terminal import QuitError, Terminal

HINT = "so-ismcts:seconds=1"
"""Who gives hints unless told otherwise."""

HELP = """\
  a number or a name   play that move (a beginning, or some of its words, will do where only
                       one move has it)
  hint                 what a search would do here; the record will say "assisted"
  beliefs              what may be hidden from you, and how likely it is; likewise
  undo                 take your last move back, and all that came after; likewise
  quit                 leave the table
  ?                    this help"""


class TakeBackError(LeaveError):
    """The person wants the last decision back. No fault of an agent's."""


def find_move(game: Game, answer: str, legal: Sequence[int]) -> int | None:
    """The legal move that an answer means: its number in the list from 1, its name, a beginning.

    Or words of it in any order, `5d 5c` for `5c 5d`, `0 2` for `team 0 2`, where one move has them.

    >>> from facedown.games.registry import load_game
    >>> kuhn = load_game("kuhn")
    >>> [find_move(kuhn, answer, [0, 1]) for answer in ("2", "bet", "B", "call", "3", "")]
    [1, 1, 1, None, None, None]
    """
    if answer.isdecimal() and 1 <= int(answer) <= len(legal):
        return legal[int(answer) - 1]
    wanted = _plain(answer)
    names = {move: _plain(game.move_text(move)) for move in legal}
    exact = [move for move, name in names.items() if name == wanted]
    if exact:
        return exact[0]
    begun = [move for move, name in names.items() if wanted and name.startswith(wanted)]
    if not begun:
        words = set(wanted.split())
        begun = [move for move, name in names.items() if words and words <= set(name.split())]
    return begun[0] if len(begun) == 1 else None


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


def _plain(text: str) -> str:
    return " ".join(text.lower().split())


@dataclass(eq=False)
class Human(Agent):
    """Asks the person at the terminal; `can_undo` says whether there is a decision to take back."""

    terminal: Terminal
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

    def observe(self, token: int, text: str) -> None:
        """Keep what was seen until the next turn.

        What the own move has shown is news too, the votes if one's own was the last, the points
        that a card made; but not its mere name.
        """
        self._story.append(lambda agent: agent.observe(token, text))
        self._tokens.append(token)
        if not self._said or _plain(text) != self._said:
            self.news.append(text)
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
        self._said, seen, moves = _plain(self.game.move_text(move)), view.copy(), list(legal)
        self._story.append(lambda a: a.choose(seen.copy(), moves) if infers(a) else None)

    def choose(self, view: Position, legal: Sequence[int]) -> int:
        began = time.perf_counter()
        move = self._asked(view, legal)
        self._seconds = time.perf_counter() - began
        return move

    def _asked(self, view: Position, legal: Sequence[int]) -> int:
        self._show(view, legal)
        while True:
            answer = self.terminal.ask("your move (? for help):")
            move = find_move(self.game, answer, legal)
            if answer.lower() in _COMMANDS:
                self._obey(answer.lower(), view, legal)
            elif move is not None:
                self.played(view, legal, move)
                return move
            elif answer:
                names = ", ".join(self.game.move_text(move) for move in legal)
                self.terminal.say(f"{answer!r} is not one of your moves: {names}", "yellow")

    def _obey(self, command: str, view: Position, legal: Sequence[int]) -> None:
        if command in ("quit", "exit"):
            raise QuitError
        if command == "undo":
            if self.can_undo:
                raise TakeBackError
            self.terminal.say("there is nothing to take back yet", "yellow")
        elif command == "hint":
            self.show_hint(view, legal)
        elif command == "beliefs":
            self._believe(view, legal)
        else:
            self.terminal.say(HELP)
            self._list(legal)

    def _show(self, view: Position, legal: Sequence[int]) -> None:
        self.terminal.say()
        for text in gathered(self.news, self.game.players):
            self.terminal.say(f"· {text}", "cyan")
        self.terminal.say(view.text(self.player))
        self._list(legal)

    def _list(self, legal: Sequence[int]) -> None:
        names = [self.game.move_text(move) for move in legal]
        listed = [f"{number}) {name}" for number, name in enumerate(names, 1)]
        width = max(map(len, listed)) + 3
        across = max(1, (self.terminal.console.width - 2) // width)
        for k in range(0, len(listed), across):
            row = "".join(item.ljust(width) for item in listed[k : k + across])
            self.terminal.say(f"  {row}".rstrip(), "bold")

    def show_hint(self, view: Position, legal: Sequence[int]) -> None:
        """Show what a search would do; a game that cannot be searched has no hints."""
        try:
            report = report_of(self._adviser(), self.hint, view.copy(), legal)
        except FacedownError as error:
            self.terminal.say(f"no hint: {error}", "yellow")
            return
        self.hinted = True
        self.terminal.show(candidates_table(report, most=6))
        self.terminal.say(f"{self.hint} would play {report.played().text}")

    def _believe(self, view: Position, legal: Sequence[int]) -> None:
        """Show what may be hidden: as the adviser believes, if it remembers, else by the rules."""
        try:
            adviser = self._adviser()
            if believes(adviser):
                if infers(adviser):
                    adviser.choose(view.copy(), legal)  # rules out what cannot be in this view
                said, shares = f"what {self.hint} believes here:", inferred(adviser, view)
            else:
                said = "what may be hidden, others' moves taken as if made at random:"
                seed, seen = self.stream.bits(), self._tokens
                shares = beliefs(view, self.player, observed=seen, seed=seed)
        except FacedownError as error:
            self.terminal.say(f"no beliefs: {error}", "yellow")
            return
        if not shares:
            self.terminal.say("nothing is hidden here, or this game has no words for it", "yellow")
            return
        self.hinted = True
        self.terminal.say("\n  ".join([said, *bars(shares)]))

    def _adviser(self) -> Agent:
        """Who gives hints, told all that the person was, and asked wherever the person was."""
        adviser = make_agent(self.hint, self.game, self.player, self.stream.bits())
        for happening in self._story:
            happening(adviser)
        return adviser


_COMMANDS = ("?", "help", "hint", "beliefs", "undo", "quit", "exit")
