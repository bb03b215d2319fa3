"""Small games as plain classes that keep every law; the crooked ones are variations of them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from facedown.core import CHANCE, OVER, Stream

HIDDEN = -1


@dataclass
class Hand:
    cards: list[int] = field(default_factory=list)
    line: list[str] = field(default_factory=list)


class PlainKuhn:
    """Kuhn poker: moves are ("deal", card), "pass" and "bet"."""

    players, bounds, most_plies = 2, (-2.0, 2.0), 5

    def start(self) -> Hand:
        return Hand()

    def turn(self, s: Hand) -> int:
        if len(s.cards) < 2:
            return CHANCE
        if len(s.line) == 3 or (len(s.line) == 2 and s.line != ["pass", "bet"]):
            return OVER
        return len(s.line) % 2

    def legal(self, s: Hand) -> list[Any]:
        if len(s.cards) < 2:
            return [("deal", card) for card in range(3) if card not in s.cards]
        return ["pass", "bet"]

    def apply(self, s: Hand, move: Any) -> None:
        if isinstance(move, tuple):
            s.cards.append(move[1])
        else:
            s.line.append(move)

    def sees(self, s: Hand, move: Any, viewer: int) -> Any:
        if isinstance(move, tuple) and viewer != len(s.cards):
            return "dealt"
        return move

    def payoff(self, s: Hand) -> list[float]:
        if s.line[-1] == "pass" and "bet" in s.line:
            gain = 1.0 if s.line[0] == "bet" else -1.0
        else:
            stake = 2.0 if s.line[-1] == "bet" else 1.0
            gain = stake if s.cards[0] > s.cards[1] else -stake
        return [gain, -gain]

    def hide(self, s: Hand, viewer: int) -> None:
        s.cards = [card if player == viewer else HIDDEN for player, card in enumerate(s.cards)]

    def infoset(self, s: Hand, viewer: int) -> Any:
        own = s.cards[viewer] if 0 <= viewer < len(s.cards) else HIDDEN
        return own, len(s.cards), tuple(s.line)

    def determinize(self, s: Hand, viewer: int, stream: Stream) -> None:
        left = [card for card in range(3) if card not in s.cards]
        stream.shuffle(left)
        s.cards = [card if card != HIDDEN else left.pop() for card in s.cards]


@dataclass
class Choices:
    pending: dict[int, str] = field(default_factory=dict)
    rounds: list[tuple[str, str]] = field(default_factory=list)


class Pennies:
    """Matching pennies, two rounds: both choose at once, then both coins are shown."""

    players, bounds, most_plies = 2, (-2.0, 2.0), 4

    def start(self) -> Choices:
        return Choices()

    def turn(self, s: Choices) -> int:
        return OVER if len(s.rounds) == 2 else 0 if 0 not in s.pending else 1

    def legal(self, s: Choices) -> list[str]:
        return ["heads", "tails"]

    def apply(self, s: Choices, move: str) -> None:
        if 0 not in s.pending:
            s.pending[0] = move
        else:
            s.rounds.append((s.pending.pop(0), move))

    def sees(self, s: Choices, move: str, viewer: int) -> Any:
        if 0 not in s.pending:
            return move if viewer == 0 else None
        return s.pending[0], move

    def payoff(self, s: Choices) -> list[float]:
        gain = sum(1.0 if a == b else -1.0 for a, b in s.rounds)
        return [gain, -gain]

    def hide(self, s: Choices, viewer: int) -> None:
        s.pending = {player: coin for player, coin in s.pending.items() if player == viewer}

    def infoset(self, s: Choices, viewer: int) -> Any:
        return s.pending.get(viewer), tuple(s.rounds)

    def determinize(self, s: Choices, viewer: int, stream: Stream) -> None:
        """What is not shown is pending, and has been withdrawn."""


@dataclass
class Doors:
    coin: int | None = None
    blocked: int | None = None
    tries: list[tuple[int, bool]] = field(default_factory=list)  # door, open
    guess: int | None = None


class Krieg:
    """Attempts as in Kriegspiel: whether a door is open depends on what nobody knows.

    Player 0 gets a coin that only he sees; one of the doors is blocked, nobody knows which. He
    tries doors until one is open; all hear whether a try failed, none but him which door it was.
    Player 1 then guesses the blocked door.
    """

    players, bounds = 2, (0.0, 1.0)
    doors = 3

    def start(self) -> Doors:
        return Doors()

    def copy(self, s: Doors) -> Doors:
        return Doors(s.coin, s.blocked, list(s.tries), s.guess)

    def turn(self, s: Doors) -> int:
        if s.coin is None or s.blocked is None:
            return CHANCE
        if s.guess is not None:
            return OVER
        return 1 if s.tries and s.tries[-1][1] else 0

    def legal(self, s: Doors) -> list[Any]:
        if s.coin is None:
            return [("coin", side) for side in range(2)]
        if s.blocked is None:
            return [("block", door) for door in range(self.doors)]
        if self.turn(s) == 1:
            return [("guess", door) for door in range(self.doors)]
        tried = [door for door, _ in s.tries]
        return [("try", door) for door in range(self.doors) if door not in tried]

    def apply(self, s: Doors, move: Any) -> None:
        kind, value = move
        if kind == "coin":
            s.coin = value
        elif kind == "block":
            s.blocked = value
        elif kind == "guess":
            s.guess = value
        else:
            s.tries.append((value, value != s.blocked))

    def sees(self, s: Doors, move: Any, viewer: int) -> Any:
        kind, value = move
        if kind == "coin":
            return move if viewer == 0 else "a coin"
        if kind == "block":
            return "a door is blocked"
        if kind == "guess":
            return move
        opened = value != s.blocked
        return (move, opened) if viewer == 0 else opened

    def payoff(self, s: Doors) -> list[float]:
        right = float(s.guess == s.blocked)
        return [1.0 - right, right]

    def hide(self, s: Doors, viewer: int) -> None:
        if s.blocked is not None:
            s.blocked = HIDDEN
        if viewer != 0:
            s.coin = None if s.coin is None else HIDDEN
            s.tries = [(HIDDEN, opened) for _, opened in s.tries]

    def infoset(self, s: Doors, viewer: int) -> Any:
        own = viewer == 0
        tries = tuple((door if own else HIDDEN, opened) for door, opened in s.tries)
        coin = s.coin if own else s.coin is None
        return coin, s.blocked is None, tries, s.guess

    def determinize(self, s: Doors, viewer: int, stream: Stream) -> None:
        if s.coin == HIDDEN:
            s.coin = stream.below(2)
        if s.blocked is None:
            return
        failed = [door for door, opened in s.tries if not opened and door != HIDDEN]
        through = [door for door, opened in s.tries if opened and door != HIDDEN]
        doors = [door for door in range(self.doors) if door not in through]
        s.blocked = failed[0] if failed else stream.choice(doors)
        if viewer != 0:
            free = [door for door in range(self.doors) if door != s.blocked]
            s.tries = [
                (stream.choice(free) if opened else s.blocked, opened) for _, opened in s.tries
            ]


class TwoDoors(Krieg):
    """The hardest case for `move-meaning`: each try shows one of two outcomes, and both differ."""

    doors = 2


@dataclass
class Table:
    hands: list[tuple[int, ...]] = field(default_factory=lambda: [(), ()])
    played: list[int] = field(default_factory=list)


class Tricks:
    """Two cards each of five; both play theirs open; the higher card of each pair takes a trick."""

    players, bounds = 2, (-2.0, 2.0)
    deck, hand = 5, 2

    def start(self) -> Table:
        return Table()

    def copy(self, s: Table) -> Table:
        return Table(list(s.hands), list(s.played))

    def _dealing(self, s: Table) -> bool:
        return not s.played and sum(map(len, s.hands)) < 2 * self.hand

    def turn(self, s: Table) -> int:
        if self._dealing(s):
            return CHANCE
        return OVER if len(s.played) == 2 * self.hand else len(s.played) % 2

    def legal(self, s: Table) -> list[Any]:
        if self._dealing(s):
            return [("deal", c) for c in range(self.deck) if all(c not in h for h in s.hands)]
        return list(s.hands[self.turn(s)])

    def _next(self, s: Table) -> int:
        return sum(map(len, s.hands)) % 2

    def apply(self, s: Table, move: Any) -> None:
        if isinstance(move, tuple):
            player = self._next(s)
            s.hands[player] = tuple(sorted((*s.hands[player], move[1])))
        else:
            player = self.turn(s)
            s.hands[player] = tuple(card for card in s.hands[player] if card != move)
            s.played.append(move)

    def sees(self, s: Table, move: Any, viewer: int) -> Any:
        if isinstance(move, tuple) and viewer != self._next(s):
            return "dealt"
        return move

    def payoff(self, s: Table) -> list[float]:
        pairs = zip(s.played[::2], s.played[1::2], strict=True)
        gain = sum(1.0 if a > b else -1.0 for a, b in pairs)
        return [gain, -gain]

    def hide(self, s: Table, viewer: int) -> None:
        s.hands = [
            hand if player == viewer else (HIDDEN,) * len(hand)
            for player, hand in enumerate(s.hands)
        ]

    def infoset(self, s: Table, viewer: int) -> Any:
        own = s.hands[viewer] if viewer >= 0 else ()
        return own, tuple(map(len, s.hands)), tuple(s.played)

    def determinize(self, s: Table, viewer: int, stream: Stream) -> None:
        own = s.hands[viewer] if viewer >= 0 else ()
        left = [c for c in range(self.deck) if c not in own and c not in s.played]
        stream.shuffle(left)
        for player, hand in enumerate(s.hands):
            if player != viewer:
                s.hands[player] = tuple(sorted(left.pop() for _ in hand))


@dataclass
class Claim:
    roll: int | None = None
    claim: int | None = None
    doubted: bool | None = None


class LoadedDie:
    """Player 0 rolls a loaded die in secret and claims a number; player 1 believes it or not."""

    players, bounds = 2, (-1.0, 1.0)
    loads = (1.0, 2.0, 5.0)

    def start(self) -> Claim:
        return Claim()

    def copy(self, s: Claim) -> Claim:
        return Claim(s.roll, s.claim, s.doubted)

    def turn(self, s: Claim) -> int:
        if s.roll is None:
            return CHANCE
        return 0 if s.claim is None else 1 if s.doubted is None else OVER

    def legal(self, s: Claim) -> list[Any]:
        if s.roll is None:
            return [("roll", k) for k in range(3)]
        return [("claim", k) for k in range(3)] if s.claim is None else ["doubt", "believe"]

    def weights(self, s: Claim) -> tuple[float, ...]:
        return self.loads

    def draw(self, s: Claim, stream: Stream) -> Any:
        left = stream.random() * sum(self.loads)
        for k, load in enumerate(self.loads):
            left -= load
            if left < 0:
                return ("roll", k)
        return ("roll", len(self.loads) - 1)

    def apply(self, s: Claim, move: Any) -> None:
        if move[0] == "roll":
            s.roll = move[1]
        elif move[0] == "claim":
            s.claim = move[1]
        else:
            s.doubted = move == "doubt"

    def sees(self, s: Claim, move: Any, viewer: int) -> Any:
        return "rolled" if move[0] == "roll" and viewer != 0 else move

    def payoff(self, s: Claim) -> list[float]:
        right = (s.claim != s.roll) == s.doubted
        return [-1.0, 1.0] if right else [1.0, -1.0]

    def hide(self, s: Claim, viewer: int) -> None:
        if viewer != 0 and s.roll is not None:
            s.roll = HIDDEN

    def infoset(self, s: Claim, viewer: int) -> Any:
        roll = s.roll if viewer == 0 else s.roll is None
        return roll, s.claim, s.doubted

    def determinize(self, s: Claim, viewer: int, stream: Stream) -> None:
        if s.roll == HIDDEN:
            s.roll = self.draw(s, stream)[1]


class HighRoll(LoadedDie):
    """The same, and the other one can suppose that the roll was the highest, or that it was not."""

    secrets = 2

    def secret(self, s: Claim, viewer: int) -> int:
        return int(viewer == 1 and s.roll == 2)

    def suppose(self, s: Claim, viewer: int, label: int) -> tuple[None, bool]:
        if s.roll == HIDDEN and viewer == 1:
            s.roll = HIDDEN - 1 - label  # what `determinize` is told
            return None, True
        return None, label == 0

    def determinize(self, s: Claim, viewer: int, stream: Stream) -> None:
        if s.roll == HIDDEN - 2:
            s.roll = 2
        elif s.roll == HIDDEN - 1:
            s.roll = int(stream.random() * sum(self.loads[:2]) >= self.loads[0])
        else:
            super().determinize(s, viewer, stream)


class Suits:
    """Face-down play that shows a card's suit alone: a token that names several moves, rightly.

    Cards 0 to 3 are of the first suit, 4 to 7 of the second; each player is dealt two and lays one.
    """

    players, bounds = 2, (-1.0, 1.0)

    def start(self) -> Table:
        return Table()

    def copy(self, s: Table) -> Table:
        return Table(list(s.hands), list(s.played))

    def turn(self, s: Table) -> int:
        if not s.played and sum(map(len, s.hands)) < 4:
            return CHANCE
        return OVER if len(s.played) == 2 else len(s.played)

    def legal(self, s: Table) -> list[Any]:
        if self.turn(s) == CHANCE:
            return [("deal", c) for c in range(8) if all(c not in h for h in s.hands)]
        return list(s.hands[self.turn(s)])

    def apply(self, s: Table, move: Any) -> None:
        if isinstance(move, tuple):
            player = sum(map(len, s.hands)) % 2
            s.hands[player] = tuple(sorted((*s.hands[player], move[1])))
        else:
            s.played.append(move)

    def sees(self, s: Table, move: Any, viewer: int) -> Any:
        if isinstance(move, tuple):
            return move if viewer == sum(map(len, s.hands)) % 2 else "dealt"
        return move if viewer == self.turn(s) else ("suit", move // 4)

    def payoff(self, s: Table) -> list[float]:
        gain = 1.0 if s.played[0] > s.played[1] else -1.0
        return [gain, -gain]

    def hide(self, s: Table, viewer: int) -> None:
        s.hands = [
            hand if player == viewer else (HIDDEN,) * len(hand)
            for player, hand in enumerate(s.hands)
        ]
        s.played = [
            card if player == viewer or card < 0 else HIDDEN - 1 - card // 4
            for player, card in enumerate(s.played)
        ]

    def infoset(self, s: Table, viewer: int) -> Any:
        played = tuple(
            card if player == viewer or card < 0 else HIDDEN - 1 - card // 4
            for player, card in enumerate(s.played)
        )
        own = s.hands[viewer] if viewer >= 0 else ()
        return own, tuple(map(len, s.hands)), played
