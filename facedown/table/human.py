"""A person at the terminal: asked line by line."""

# Annotations here are real objects, not strings: see facedown.agents.base.
from collections.abc import Sequence
from dataclasses import dataclass, field

from facedown.core import FacedownError, Game, Position
from facedown.table.explain import bars, candidates_table
from facedown.table.person import Person, QuitError, TakeBackError, gathered, plain
from facedown.table.terminal import Terminal

HELP = """\
  a number or a name   play that move (a beginning, or some of its words, will do where only
                       one move has it)
  hint                 what a search would do here; the record will say "assisted"
  beliefs              what may be hidden from you, and how likely it is; likewise
  undo                 take your last move back, and all that came after; likewise
  quit                 leave the table
  ?                    this help"""


def find_move(game: Game, answer: str, legal: Sequence[int]) -> int | None:
    """The legal move that an answer means: its number in the list from 1, its name, a beginning.

    Or words of it in any order, `5d 5c` for `5c 5d`, `0 2` for `team 0 2`, where one move has them.

    >>> from facedown.games.registry import load_game
    >>> kuhn = load_game("kuhn")
    >>> [find_move(kuhn, answer, [0, 1]) for answer in ("2", "bet", "B", "call", "3", "")]
    [1, 1, 1, None, None, None]
    """
    meant = find_moves(game, answer, legal)
    return meant[0] if len(meant) == 1 else None


def find_moves(game: Game, answer: str, legal: Sequence[int]) -> list[int]:
    """All moves that an answer may mean: one, where it names it in full or by its number.

    >>> from facedown.games.registry import load_game
    >>> leduc = load_game("leduc")
    >>> [find_moves(leduc, answer, [3, 4, 5]) for answer in ("deal", "deal K", "king")]
    [[3, 4, 5], [5], []]
    """
    if answer.isdecimal() and 1 <= int(answer) <= len(legal):
        return [legal[int(answer) - 1]]
    wanted = plain(answer)
    names = {move: (plain(game.move_words(move)), plain(game.move_text(move))) for move in legal}
    exact = [move for move, both in names.items() if wanted in both]
    if exact or not wanted:
        return exact[:1]
    begun = [move for move, both in names.items() if any(one.startswith(wanted) for one in both)]
    if begun:
        return begun
    words = set(wanted.split())
    return [move for move, both in names.items() if any(words <= set(one.split()) for one in both)]


@dataclass(eq=False)
class Human(Person):
    """Asks the person at the terminal."""

    terminal: Terminal = field(kw_only=True)

    def asked(self, view: Position, legal: Sequence[int]) -> int:
        self._show(view, legal)
        while True:
            answer = self.terminal.ask("your move (? for help):")
            meant = find_moves(self.game, answer, legal)
            if answer.lower() in _COMMANDS:
                self._obey(answer.lower(), view, legal)
            elif len(meant) == 1:
                return meant[0]
            elif meant:
                self.terminal.say(f"{answer!r} may be one of these; which?", "yellow")
                self._list(legal, meant)
            elif answer:
                names = ", ".join(self.game.move_words(move) for move in legal)
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

    def _list(self, legal: Sequence[int], some: Sequence[int] | None = None) -> None:
        """The moves with their numbers, or some of them."""
        names = [
            (number, move) for number, move in enumerate(legal, 1) if some is None or move in some
        ]
        listed = [f"{number}) {self.game.move_words(move)}" for number, move in names]
        width = max(map(len, listed)) + 3
        across = max(1, (self.terminal.console.width - 2) // width)
        for k in range(0, len(listed), across):
            row = "".join(item.ljust(width) for item in listed[k : k + across])
            self.terminal.say(f"  {row}".rstrip(), "bold")

    def show_hint(self, view: Position, legal: Sequence[int]) -> None:
        """Show what a search would do; a game that cannot be searched has no hints."""
        try:
            report = self.advice(view, legal)
        except FacedownError as error:
            self.terminal.say(f"no hint: {error}", "yellow")
            return
        self.terminal.show(candidates_table(report, most=6))
        self.terminal.say(f"{self.hint} would play {report.played().text}")

    def _believe(self, view: Position, legal: Sequence[int]) -> None:
        """Show what may be hidden."""
        try:
            said, shares = self.believed(view, legal)
        except FacedownError as error:
            self.terminal.say(f"no beliefs: {error}", "yellow")
            return
        if not shares:
            self.terminal.say("nothing is hidden here, or this game has no words for it", "yellow")
            return
        self.terminal.say("\n  ".join([said, *bars(shares)]))


_COMMANDS = ("?", "help", "hint", "beliefs", "undo", "quit", "exit")
