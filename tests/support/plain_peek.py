"""The example `peek.py` as an ordinary Python class: a memo is the set of cards ruled out."""

from __future__ import annotations

from typing import Any, NamedTuple

from facedown.core import CHANCE, OVER, Stream, Traits

CARDS, TURNS = 4, 6
Ruled = frozenset[int] | None


class Table(NamedTuple):
    """A position: the card (None: not dealt, -1: unseen), what each was told, turns, the guess."""

    card: int | None = None
    told: tuple[tuple[int, ...], tuple[int, ...]] = ((0, 0, 0), (0, 0, 0))
    n: int = 0
    guessed: int | None = None


class PlainPeek:
    """Ask about the card, or guess it."""

    players, bounds = 2, (-1.0, 1.0)
    moves, most_moves, most_plies = 11, 7, 1 + TURNS
    kind_names = ("above", "guess", "deal")
    trait_names = Traits(("turns", "cards left"), ("guess", "card", "ruled out"))

    def start(self) -> Table:
        return Table()

    def turn(self, s: Table) -> int:
        if s.card is None:
            return CHANCE
        return OVER if s.guessed is not None or s.n == TURNS else s.n % 2

    def legal(self, s: Table) -> list[str]:
        if s.card is None:
            return self.of_kind(s, 2)
        return self.of_kind(s, 0) + self.of_kind(s, 1)

    def apply(self, s: Table, move: str) -> Table:
        word, number = move.split()
        if word == "deal":
            return s._replace(card=int(number))
        if word == "guess":
            return s._replace(guessed=int(number), n=s.n + 1)
        told = [list(row) for row in s.told]
        k = int(number[0])
        told[s.n % 2][k] = 2 if s.card is not None and s.card > k else 1
        return s._replace(told=(tuple(told[0]), tuple(told[1])), n=s.n + 1)

    def sees(self, s: Table, move: str, viewer: int) -> Any:
        word, number = move.split()
        if word == "deal":
            return "a card is dealt"
        if word == "guess" or viewer != s.n % 2:
            return move
        return ("answer", int(number[0]), s.card is not None and s.card > int(number[0]))

    def payoff(self, s: Table) -> tuple[float, float]:
        if s.guessed is None:
            return (0.0, 0.0)
        gain = 1.0 if s.guessed == s.card else -1.0
        return (gain, -gain) if s.n % 2 == 1 else (-gain, gain)

    def hide(self, s: Table, viewer: int) -> Table:
        rows = [
            row if player == viewer else tuple(3 if told else 0 for told in row)
            for player, row in enumerate(s.told)
        ]
        return s._replace(card=None if s.card is None else -1, told=(rows[0], rows[1]))

    def infoset(self, s: Table, viewer: int) -> Table:
        return self.hide(s, viewer)

    def copy(self, s: Table) -> Table:
        return s

    def hidden_text(self, s: Table, viewer: int) -> str:
        return "" if s.card is None else f"the card is {s.card}"

    def remember(self, memo: Ruled, token: Any, viewer: int) -> Ruled:
        if token[0] != "answer":
            return memo
        _, k, above = token
        out = {card for card in range(CARDS) if (card > k) != above}
        return frozenset(out | (memo or frozenset()))

    def bucket(self, s: Table, memo: Ruled, viewer: int) -> Any:
        return (s.n, memo or frozenset())

    def prior(self, s: Table, memo: Ruled, moves: list[str]) -> list[float]:
        ruled = memo or frozenset()
        guess = {f"guess {c}": 0.01 if c in ruled else 4 / (CARDS - len(ruled)) for c in range(4)}
        return [guess.get(move, 1.0) for move in moves]

    def determinize(self, s: Table, memo: Ruled, viewer: int, stream: Stream) -> Table:
        if s.card is None:
            return s
        card = stream.choice([c for c in range(CARDS) if c not in (memo or ())])
        rows = [
            tuple((2 if card > k else 1) if told == 3 else told for k, told in enumerate(row))
            for row in s.told
        ]
        return s._replace(card=card, told=(rows[0], rows[1]))

    def kind(self, s: Table, move: str) -> int:
        return ("above", "guess", "deal").index(move.split()[0])

    def kinds(self, s: Table) -> list[int]:
        return [2] if s.card is None else [0, 1]

    def of_kind(self, s: Table, kind: int) -> list[str]:
        if kind == 0:
            return [f"above {k}?" for k in range(CARDS - 1)]
        return [f"{'guess' if kind == 1 else 'deal'} {card}" for card in range(CARDS)]

    def traits(self, s: Table, memo: Ruled, viewer: int, moves: list[str]) -> Any:
        ruled = memo or frozenset()
        rows = []
        for move in moves:
            word, number = move.rstrip("?").split()
            guess, card = word == "guess", int(number)
            rows.append((float(guess), card / CARDS, float(guess and card in ruled)))
        return (s.n / TURNS, 1 - len(ruled) / CARDS), rows
