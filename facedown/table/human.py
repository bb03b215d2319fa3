"""A person as an agent: gets views only, like everyone at the table."""

# Annotations here are real objects, not strings: see facedown.agents.base.
from collections.abc import Sequence
from dataclasses import dataclass, field

from facedown.agents.analysis import analyse
from facedown.agents.base import Agent
from facedown.core import FacedownError, Game, Position
from facedown.table.explain import candidates_table
from facedown.table.terminal import QuitError, Terminal

HINT = "so-ismcts:seconds=1"
"""Who gives hints unless told otherwise."""

HELP = """\
  a number or a name   play that move (a beginning will do, where only one move has it)
  hint                 what a search would do here; the record will say "assisted"
  undo                 take your last move back, and all that came after; likewise
  quit                 leave the table
  ?                    this help"""


class TakeBackError(BaseException):
    """The person wants the last decision back. No fault of an agent's."""


def find_move(game: Game, answer: str, legal: Sequence[int]) -> int | None:
    """The legal move that an answer means: its number in the list from 1, its name, a beginning.

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
    return begun[0] if len(begun) == 1 else None


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
        self._tokens: list[int] = []  # of all that was seen, for hints
        self._own_move = False  # whether the next observation is that of the own move

    def observe(self, token: int, text: str) -> None:
        """Keep what was seen until the next turn; one's own move is no news."""
        self._tokens.append(token)
        if not self._own_move:
            self.news.append(text)
        self._own_move = False

    def played(self) -> None:
        """A move was made for the person; what was seen before it is no news any more."""
        self.news.clear()
        self._own_move = True

    def choose(self, view: Position, legal: Sequence[int]) -> int:
        self._show(view, legal)
        while True:
            answer = self.terminal.ask("your move (? for help):")
            move = find_move(self.game, answer, legal)
            if answer.lower() in _COMMANDS:
                self._obey(answer.lower(), view, legal)
            elif move is not None:
                self.played()
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
            self._hint(view, legal)
        else:
            self.terminal.say(HELP)
            self._list(legal)

    def _show(self, view: Position, legal: Sequence[int]) -> None:
        self.terminal.say()
        for text in self.news:
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

    def _hint(self, view: Position, legal: Sequence[int]) -> None:
        """Show what a search would do; a game that cannot be searched has no hints."""
        try:
            report = analyse(
                view.copy(),
                self.hint,
                player=self.player,
                legal=legal,
                observed=self._tokens,
                seed=self.stream.bits(),
            )
        except FacedownError as error:
            self.terminal.say(f"no hint: {error}", "yellow")
            return
        self.hinted = True
        self.terminal.show(candidates_table(report, most=6))
        self.terminal.say(f"{self.hint} would play {report.best().text}")


_COMMANDS = ("?", "help", "hint", "undo", "quit", "exit")
