"""Two games small enough to work out by hand, as plain Python classes.

`load_game("tests/support/tiny.py:Pennies")` loads one.
"""

from __future__ import annotations

from facedown.core import CHANCE, OVER, Stream

COIN = ("heads", "tails")
Toss = tuple[str, tuple[str, ...]]
Choices = tuple[str, str]


class StrategyFusion:
    """One player, a coin that nobody sees, and a choice that shows strategy fusion.

    The player takes "safe", for a sure payoff of 0.6, or "guess", after which the coin must be
    named, still unseen: 1 if right, 0 if wrong. Guessing is worth 0.5. A search that solves each
    determinization on its own names the coin right in every one, believes that guessing is worth 1,
    and goes wrong; a search over information sets does not.

    A position is (coin, moves played); the coin is "" before the toss and "?" in every view.
    """

    players = 1
    bounds = (0.0, 1.0)
    moves = 6
    most_moves = 2
    most_plies = 3

    def start(self) -> Toss:
        return ("", ())

    def turn(self, s: Toss) -> int:
        coin, played = s
        if not coin:
            return CHANCE
        return OVER if played == ("safe",) or len(played) == 2 else 0

    def legal(self, s: Toss) -> list[str]:
        coin, played = s
        if not coin:
            return ["toss heads", "toss tails"]
        return list(COIN) if played else ["safe", "guess"]

    def apply(self, s: Toss, move: str) -> Toss:
        coin, played = s
        return (coin, (*played, move)) if coin else (move.removeprefix("toss "), ())

    def sees(self, s: Toss, move: str, viewer: int) -> str:
        return move if s[0] else "the coin is tossed"

    def payoff(self, s: Toss) -> list[float]:
        coin, played = s
        return [0.6 if played == ("safe",) else float(played[1] == coin)]

    def hide(self, s: Toss, viewer: int) -> Toss:
        return ("?" if s[0] else "", s[1])

    def infoset(self, s: Toss, viewer: int) -> Toss:
        return self.hide(s, viewer)

    def determinize(self, s: Toss, viewer: int, stream: Stream) -> Toss:
        return (stream.choice(COIN) if s[0] else "", s[1])

    def copy(self, s: Toss) -> Toss:
        return s


class Pennies:
    """Matching pennies: both show a coin at once; player 0 wins where they match, else player 1.

    Player 0 chooses first, and until player 1 has chosen too nobody else learns anything: the
    choice is withdrawn from the other views, which stay what they were at the start. There it is
    player 0's turn, so a search from player 1's view searches both choices and guesses neither.
    With the second choice both are shown to all.

    A position is (choice of player 0, choice of player 1), "" where there is none yet.
    """

    players = 2
    bounds = (-1.0, 1.0)
    moves = 2
    most_moves = 2
    most_plies = 2

    def start(self) -> Choices:
        return ("", "")

    def turn(self, s: Choices) -> int:
        if s[0] and s[1]:
            return OVER
        return 1 if s[0] else 0

    def legal(self, s: Choices) -> list[str]:
        return list(COIN)

    def apply(self, s: Choices, move: str) -> Choices:
        return (s[0], move) if s[0] else (move, "")

    def sees(self, s: Choices, move: str, viewer: int) -> str | None:
        if s[0]:
            return f"player 0 shows {s[0]}, player 1 shows {move}"
        return f"you choose {move}" if viewer == 0 else None

    def payoff(self, s: Choices) -> tuple[float, float]:
        return (1.0, -1.0) if s[0] == s[1] else (-1.0, 1.0)

    def hide(self, s: Choices, viewer: int) -> Choices:
        pending = not s[1]
        return ("", "") if pending and viewer != 0 else s

    def infoset(self, s: Choices, viewer: int) -> Choices:
        return self.hide(s, viewer)

    def determinize(self, s: Choices, viewer: int, stream: Stream) -> Choices:
        return s  # nothing that a view leaves out is to be guessed

    def copy(self, s: Choices) -> Choices:
        return s
