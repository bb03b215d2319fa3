"""Love Letter, one round for two to four players, as an ordinary Python class without a sampler.

Sixteen cards; one is set aside face down (with two players three more face up), everyone gets one.
In turn a player draws a card and plays one of his two, which has its effect. The last player left
wins, or who has the highest card once the deck is empty, then who has discarded most.

There is no `determinize`: what others may hold follows from all that was ever seen, and HyperPlay
finds it from these rules alone.
"""

from __future__ import annotations

from typing import NamedTuple

from facedown import CHANCE, OVER

NAMES = ("?", "Guard", "Priest", "Baron", "Handmaid", "Prince", "King", "Countess", "Princess")
UNSEEN, GUARD, PRIEST, BARON, HANDMAID, PRINCE, KING, COUNTESS, PRINCESS = range(9)
COPIES = (0, 5, 2, 2, 2, 2, 1, 1, 1)
ASIDE, SHOWN, DRAW = -1, -2, -3  # where chance deals to, beside the players' hands
NONE = -1  # no card, or nobody
Move = tuple[int, ...]  # chance: (card,); a player: (card, at whom, the card he names)


class Position(NamedTuple):
    due: tuple[int, ...]  # where chance deals to next: a player's hand, ASIDE, SHOWN, DRAW
    left: tuple[int, ...]  # copies of each card that are in the deck; no viewer sees them
    deck: int  # how many they are
    hands: tuple[int, ...]
    out: tuple[bool, ...]
    safe: tuple[bool, ...]  # by a Handmaid
    drawn: int = NONE  # what the actor has drawn
    aside: int = NONE
    actor: int = 0
    known: frozenset[tuple[int, int]] = frozenset()  # (who, whose hand he has seen)
    shown: tuple[int, ...] = ()
    log: tuple[Move, ...] = ()  # plays: player, card, at whom, named, who is out, card shown
    over: bool = False


def put(row: tuple[int, ...], place: int, value: int) -> tuple[int, ...]:
    return (*row[:place], value, *row[place + 1 :])


class LoveLetter:
    bounds = (0.0, 1.0)
    moves, most_moves, most_plies = 400, 64, 48

    def __init__(self, players: int = 2) -> None:
        if not 2 <= players <= 4:
            raise ValueError(f"players={players}: 2 to 4 are wanted")
        self.players = players

    def start(self) -> Position:
        n = self.players
        due = (ASIDE, *(SHOWN,) * (3 if n == 2 else 0), *range(n), DRAW)
        return Position(due, COPIES, 16, (NONE,) * n, (False,) * n, (False,) * n)

    def turn(self, s: Position) -> int:
        return CHANCE if s.due else OVER if s.over else s.actor

    def legal(self, s: Position) -> list[Move]:
        if s.due:
            return [(card,) for card, copies in enumerate(s.left) if copies]
        own = {s.hands[s.actor], s.drawn}
        if COUNTESS in own and (PRINCE in own or KING in own):
            return [(COUNTESS, NONE, NONE)]
        return [move for card in sorted(own) for move in self._plays(s, card)]

    def weights(self, s: Position) -> list[int]:
        return [copies for copies in s.left if copies]

    def _plays(self, s: Position, card: int) -> list[Move]:
        if card in (HANDMAID, COUNTESS, PRINCESS):
            return [(card, NONE, NONE)]
        others = [p for p in range(self.players) if not (p == s.actor or s.out[p] or s.safe[p])]
        if card == PRINCE:
            return [(card, at, NONE) for at in sorted([*others, s.actor])]
        named = range(PRIEST, PRINCESS + 1) if card == GUARD else (NONE,)
        return [(card, at, name) for at in others for name in named] or [(card, NONE, NONE)]

    def _kept(self, s: Position, played: int) -> int:
        """The actor's other card."""
        return s.drawn if played == s.hands[s.actor] else s.hands[s.actor]

    def _effect(self, s: Position, move: Move) -> tuple[int, int]:
        """Who is out, and the card that everybody sees for it or by a Prince."""
        (card, at, named), kept = move, self._kept(s, move[0])
        if card == PRINCESS:
            return s.actor, kept
        if at == NONE:
            return NONE, NONE
        his = kept if at == s.actor else s.hands[at]
        if card == GUARD and his == named:
            return at, his
        if card == BARON and his != kept:
            return (at, his) if his < kept else (s.actor, kept)
        if card == PRINCE:
            return (at if his == PRINCESS else NONE), his
        return NONE, NONE

    def sees(self, s: Position, move: Move, viewer: int) -> Move:
        """A card that is dealt its owner sees; a play everybody, and those two what it shows."""
        if s.due:
            to = s.due[0]
            owner = s.actor if to == DRAW else to
            return (to, move[0] if viewer == owner or to == SHOWN else UNSEEN)
        (card, at, _), (out, shown) = move, self._effect(s, move)
        private = UNSEEN
        if card in (PRIEST, BARON, KING) and at != NONE and viewer == s.actor:
            private = s.hands[at]
        elif card in (BARON, KING) and viewer == at != NONE:
            private = self._kept(s, card)
        elif card == PRINCE and viewer == at and out == NONE and s.deck == 0:
            private = s.aside
        return (s.actor, *move, out, shown, private)

    def apply(self, s: Position, move: Move) -> Position:
        return self._deal(s, move[0]) if s.due else self._play(s, move)

    def _deal(self, s: Position, card: int) -> Position:
        to, rest = s.due[0], {"due": s.due[1:], "deck": s.deck - 1}
        left = put(s.left, card, s.left[card] - 1)
        if to >= 0:
            return s._replace(left=left, hands=put(s.hands, to, card), **rest)
        if to == SHOWN:
            return s._replace(left=left, shown=(*s.shown, card), **rest)
        return s._replace(left=left, **{"drawn" if to == DRAW else "aside": card}, **rest)

    def _play(self, s: Position, move: Move) -> Position:
        (card, at, _), (out, shown), who = move, self._effect(s, move), s.actor
        hands, known, due = put(s.hands, who, self._kept(s, card)), set(s.known), []
        if card == s.hands[who]:  # who knew it knows the other one not
            known = {pair for pair in known if pair[1] != who}
        if card == PRIEST and at != NONE:
            known.add((who, at))
        elif card == BARON and at != NONE:
            known |= {(who, at), (at, who)}
        elif card == KING and at != NONE:
            hands = put(put(hands, who, hands[at]), at, hands[who])
            other = {who: at, at: who}
            known = {(a, other.get(b, b)) for a, b in known if a not in other or b not in other}
            known |= {(who, at), (at, who)}
        elif card == PRINCE:
            known = {pair for pair in known if pair[1] != at}
            if out == NONE:
                hands = put(hands, at, NONE if s.deck else s.aside)
                due = [at] if s.deck else []
        if out != NONE:
            hands, known = put(hands, out, NONE), {pair for pair in known if pair[1] != out}
        gone = put(s.out, out, True) if out != NONE else s.out
        return self._next(s._replace(
            hands=hands, drawn=NONE, out=gone, known=frozenset(known), due=tuple(due),
            aside=NONE if card == PRINCE and out == NONE and not s.deck else s.aside,
            safe=put(s.safe, who, card == HANDMAID), log=(*s.log, (who, *move, out, shown)),
        ))  # fmt: skip

    def _next(self, s: Position) -> Position:
        """The next player's turn, unless one is left or there is nothing to draw."""
        if s.out.count(False) == 1 or s.deck == len(s.due):
            return s._replace(over=True)  # a Prince's victim still draws
        actor = (s.actor + 1) % self.players
        while s.out[actor]:
            actor = (actor + 1) % self.players
        return s._replace(actor=actor, safe=put(s.safe, actor, False), due=(*s.due, DRAW))

    def payoff(self, s: Position) -> list[float]:
        ranks = [(not s.out[p], s.hands[p], self._discarded(s, p)) for p in range(self.players)]
        best = max(ranks)
        return [float(rank == best) / ranks.count(best) for rank in ranks]

    def _discarded(self, s: Position, p: int) -> int:
        played = sum(e[1] for e in s.log if e[0] == p)
        return played + sum(e[5] for e in s.log if e[1] == PRINCE and e[2] == p)

    def hide(self, s: Position, viewer: int) -> Position:
        def card(p: int) -> int:
            seen = p == viewer or s.hands[p] == NONE or (viewer, p) in s.known
            return s.hands[p] if seen else UNSEEN

        return s._replace(
            left=(),
            hands=tuple(card(p) for p in range(self.players)),
            aside=min(s.aside, UNSEEN),
            drawn=s.drawn if viewer == s.actor else min(s.drawn, UNSEEN),
            known=frozenset(pair for pair in s.known if pair[0] == viewer),
        )

    infoset = hide

    def copy(self, s: Position) -> Position:
        """A tuple never changes, so it is its own copy."""
        return s

    def move_text(self, move: Move) -> str:
        if len(move) == 1:
            return f"deal {NAMES[move[0]]}"
        card, at, named = move
        words = [NAMES[card], *([f"at {at}"] if at != NONE else [])]
        return " ".join([*words, *([f"naming {NAMES[named]}"] if named != NONE else [])])

    def observation_text(self, seen: Move, viewer: int) -> str:
        if len(seen) == 2:
            to = {ASIDE: "set aside", SHOWN: "shown", DRAW: "drawn"}.get(seen[0])
            return f"{NAMES[seen[1]]} {to or f'for player {seen[0]}'}"
        (who, *move, out, shown, private) = seen
        what = f"player {who}: {self.move_text(tuple(move))}"
        what += f", {NAMES[shown]} discarded" if shown != NONE else ""
        what += f", you see {NAMES[private]}" if private != UNSEEN else ""
        return what + (f", player {out} is out" if out != NONE else "")

    def view_text(self, s: Position, viewer: int) -> str:
        def hand(p: int) -> str:
            return "out" if s.out[p] else f"[{NAMES[s.hands[p]]}]" if s.hands[p] != NONE else "-"

        lines = [f"player {p}: {hand(p)}{' safe' * s.safe[p]}" for p in range(self.players)]
        drawn = f"; drawn [{NAMES[s.drawn]}]" if s.drawn > UNSEEN else ""
        shown = ", ".join(NAMES[card] for card in s.shown) or "nothing"
        played = ", ".join(f"{e[0]}: {self.move_text(e[1:4])}" for e in s.log) or "nothing"
        return "\n".join([*lines, f"deck {s.deck}{drawn}; shown: {shown}", f"played: {played}"])

    def hidden_text(self, s: Position, viewer: int) -> str:
        held = [p for p in range(self.players) if p != viewer and s.hands[p] != NONE]
        return ", ".join(f"player {p} holds the {NAMES[s.hands[p]]}" for p in held)
