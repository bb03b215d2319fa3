"""The factored belief of Dobre and Lascarides (2018): what each hand may be, kept by tokens.

A distribution over hands for each player (`hands.Hands`), taken as independent of each other, is
advanced by what a viewer sees: production, building, trades, discards, thefts as thief, victim or
bystander, monopolies. Development cards are another factor: of them the record itself has all that
is known. Beside it the memo (`memory`) has bounds alone, which cost a search next to nothing.
"""

from __future__ import annotations

from math import comb
from typing import Any

import numpy as np

from facedown.core import Stream
from facedown.games.settlers import moves as m
from facedown.games.settlers import state as st
from facedown.games.settlers.hands import RESOURCES, Hand, Hands
from facedown.games.settlers.state import unpack
from facedown.games.settlers.tokens import EXTRA, NUMBER, PLAYER, SHARES

NAMES = ("brick", "ore", "sheep", "wheat", "wood")
TRIES = 50
"""Draws of all hands together, for one in which there are no more cards than exist."""
_BYTES = 1 << 8 * np.arange(RESOURCES)


def _field(token: int, place: int, bits: int) -> int:
    return token >> EXTRA + place & (1 << bits) - 1


def _one(resource: int, n: int = 1) -> Hand:
    return tuple(n if r == resource else 0 for r in range(RESOURCES))


def _terms(token: int, place: int) -> tuple[Hand, Hand]:
    """What the offer in a token gives and gets."""
    sixes = [_field(token, place + 6 * r, 6) for r in range(RESOURCES)]
    gives = tuple(0 if six & 1 else six >> 1 for six in sixes)
    return gives, tuple(six >> 1 if six & 1 else 0 for six in sixes)


class FactoredBelief:
    """What `viewer`, a player or PUBLIC, believes of everybody's resources (`core.knowledge`).

    With `by_kind` a hidden discard is of each resource in the hand as likely; without, as in the
    paper, every card is.
    """

    def __init__(self, viewer: int, *, by_kind: bool = False) -> None:
        self.viewer, self._by_kind = viewer, by_kind
        self.hands = [Hands() for _ in range(st.PLAYERS)]

    # --- what is seen ----------------------------------------------------------------------------

    def observe(self, token: int) -> None:
        """Advance it by a token of the viewer's."""
        move, player = (token & NUMBER) - 1, token >> PLAYER & 3
        if move == m.UNSEEN_DISCARD:
            hand = self.hands[player]
            hand.discard_unseen() if self._by_kind else hand.lose_unseen()
        elif move == m.UNSEEN_STEAL:
            self._steal(player, _field(token, 0, 2))
        elif m.DICE <= move < m.STEAL:
            self._harvest(token)
        elif m.STEAL <= move < m.DRAW:
            self.hands[_field(token, 0, 2)].lose_seen(move - m.STEAL)
            self.hands[player].gain(_one(move - m.STEAL))
        elif m.PLAY_MONOPOLY <= move < m.DISCARD:
            self._monopolise(token, player, move - m.PLAY_MONOPOLY)
        elif move in (m.ACCEPT, m.PROPOSE) or m.TRADE <= move < m.LAY:
            self._trade(token, player, move)
        elif move >= 0:
            self._build(token, player, move)

    def _steal(self, thief: int, victim: int) -> None:
        """A card moved that the viewer did not see: either hand is mixed over by itself."""
        odds = self.hands[victim].stolen()
        self.hands[victim].lose_unseen()
        self.hands[thief].gain_unseen(odds)

    def _harvest(self, token: int) -> None:
        for k in range(2):
            place = k * (3 + SHARES)
            resource, shares = _field(token, place, 3), _field(token, place + 3, SHARES)
            for player in range(st.PLAYERS):
                paid = shares >> 4 * player & 15
                if paid:
                    self.hands[player].gain(_one(resource, paid))

    def _monopolise(self, token: int, player: int, resource: int) -> None:
        taken = 0
        for other in range(st.PLAYERS):
            if other != player:
                n = _field(token, 5 * other, 5)
                self.hands[other].hold_exactly(resource, n)
                self.hands[other].pay(_one(resource, n))
                taken += n
        self.hands[player].gain(_one(resource, taken))

    def _trade(self, token: int, player: int, move: int) -> None:
        """An offer shows that its maker has what it gives; one that is accepted moves the cards."""
        if move == m.ACCEPT:
            asker, (gives, gets) = _field(token, 0, 2), _terms(token, 2)
            self.hands[asker].pay(gives)
            self.hands[player].pay(gets)
            self.hands[asker].gain(gets)
            self.hands[player].gain(gives)
            return
        packed = m.OFFER_GIVES[(move - m.TRADE) % m.OFFERS] if move >= m.TRADE else None
        gives = tuple(unpack(packed)) if packed is not None else _terms(token, 2)[0]
        self.hands[player].show(gives)

    def _build(self, token: int, player: int, move: int) -> None:
        """What whoever moves pays the bank, and gets of it."""
        hand = self.hands[player]
        if m.DISCARD <= move < m.ROB:
            hand.pay(_one(move - m.DISCARD))
        elif m.PLAY_PLENTY <= move < m.PLAY_MONOPOLY:
            first, second = (int(r) for r in m.PAIR[move - m.PLAY_PLENTY])
            hand.gain(_one(first))
            hand.gain(_one(second, _field(token, 0, 2) - 1))
        elif m.SWAP <= move < m.PLAY_PLENTY:
            given, rest = divmod(move - m.SWAP, 4)
            hand.pay(_one(given, _field(token, 0, 3)))
            hand.gain(_one(rest + (rest >= given)))
        elif m.SETTLE <= move < m.UPGRADE and not _field(token, 0, 1):
            hand.gain([_field(token, 1 + 2 * r, 2) for r in range(RESOURCES)])
        elif cost := _cost(token, move):
            hand.pay(unpack(cost))

    # --- what is asked ---------------------------------------------------------------------------

    def fill(self, worlds: Any, stream: Stream) -> int:
        """Give the others hands drawn from the belief, in worlds of one view, an array of records.

        The bank has the rest. In how many: a world is left as it was where no draw agreed with the
        cards there are and with what the bank is seen to lack, for hands are not quite independent.
        """
        s, left = worlds[0], np.arange(len(worlds))
        drawn = [p for p in range(st.PLAYERS) if p != self.viewer and s["held"][p]]
        known = unpack(s["hands"][self.viewer]) if self.viewer >= 0 else [0] * RESOURCES
        stock = np.array([int(s["stock"]) >> 8 * r + 7 & 1 for r in range(RESOURCES)])
        for _ in range(TRIES):
            hands = [self.hands[p].samples(_points(stream, len(left))) for p in drawn]
            bank = 19 - np.array(known) - sum(hands, np.zeros((len(left), RESOURCES), np.int64))
            fits = ((bank >= 0) & ((bank > 0) == stock)).all(axis=1)
            for p, hand in zip(drawn, hands, strict=True):
                worlds["hands"][left[fits], p] = hand[fits] @ _BYTES
            worlds["bank"][left[fits]] = bank[fits] @ _BYTES
            left = left[~fits]
            if not len(left):
                break
        return len(worlds) - len(left)

    def told(self, view: Any) -> list[tuple[str, float]]:
        """What each of the others has at least one of, and how likely that is."""
        found = []
        for p in range(st.PLAYERS):
            if p == self.viewer:
                continue
            for r, name in enumerate(NAMES):
                share = float((self.hands[p].counts(r) > 0) @ self.hands[p].shares)
                found.append((f"player {p} has {name}", share))
            found.append((f"player {p} has a victory card", self._victory(view, p)))
        return found

    def _victory(self, view: Any, player: int) -> float:
        """How likely a player has a victory card: dealt from what was not seen, no more than his
        not having won allows."""
        own = unpack(view["cards"][self.viewer]) if self.viewer >= 0 else [0] * st.CARD_KINDS
        pool = [n - k for n, k in zip(unpack(st.DECK - view["played"]), own, strict=True)]
        victory, held = pool[st.VICTORY], int(view["unplayed"][player])
        others, most = sum(pool) - victory, min(victory, held, int(view["silent"][player]))
        ways = [comb(victory, v) * comb(others, held - v) for v in range(most + 1)]
        return 1 - ways[0] / sum(ways) if sum(ways) else 1.0


def _points(stream: Stream, n: int) -> Any:
    """So many points within [0, 1)."""
    return np.array([stream.random() for _ in range(n)])


def _cost(token: int, move: int) -> int:
    """What a piece or a card costs, packed; 0 for what is free."""
    if m.PAVE <= move < m.SWAP:
        return _field(token, 0, 1) * st.ROAD_COST
    if m.UPGRADE <= move < m.PAVE:
        return st.CITY_COST
    if m.SETTLE <= move < m.UPGRADE:
        return st.SETTLEMENT_COST
    return st.CARD_COST if move == m.BUY else 0
