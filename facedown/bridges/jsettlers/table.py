"""A table as one seat knows it: hands, pieces, cards, awards, offers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from facedown.bridges.jsettlers.board import ANY, Board, hexes_at
from facedown.bridges.jsettlers.fields import SEATS

RESOURCES = 5
CLAY, ORE, SHEEP, WHEAT, WOOD = range(RESOURCES)
"""Places in every list of five; a message's number of a resource is one more."""

ROAD, SETTLEMENT, CITY = range(3)
PIECES = (15, 5, 4)
BANK = 19
DECK = 25
HAND_LIMIT = 7
TO_WIN = 10

COSTS = {ROAD: (1, 0, 0, 0, 1), SETTLEMENT: (1, 0, 1, 1, 1), CITY: (0, 3, 0, 2, 0)}
CARD_COST = (0, 1, 1, 1, 0)

UNKNOWN_CARD, ROADS, PLENTY, MONOPOLY, KNIGHT = 0, 1, 2, 3, 9
POINT_CARDS = range(4, 9)

# States of a game
FIRST_SETTLEMENT, FIRST_ROAD, SECOND_SETTLEMENT, SECOND_ROAD = 5, 6, 10, 11
ROLL, PLAY, PLACING, MOVING_ROBBER = 15, 20, (30, 31, 32), 33
FREE_ROAD, LAST_FREE_ROAD = 40, 41
DISCARDING, CHOOSING_VICTIM, PICKING, NAMING, OVER = 50, 51, 52, 53, 1000
PLACEMENTS = (FIRST_SETTLEMENT, FIRST_ROAD, SECOND_SETTLEMENT, SECOND_ROAD)


@dataclass
class Hand:
    """What is proven of a hand: at least so many of each resource, and how many cards in all."""

    least: list[int] = field(default_factory=lambda: [0] * RESOURCES)
    total: int = 0

    @property
    def exact(self) -> bool:
        """Whether every card is known."""
        return sum(self.least) == self.total

    @property
    def unknown(self) -> int:
        """How many cards can be anything."""
        return self.total - sum(self.least)

    def gain(self, resource: int, amount: int = 1) -> None:
        self.least[resource] += amount
        self.total += amount

    def gain_any(self, amount: int) -> None:
        """Cards that nobody shows come in."""
        self.total += amount

    def lose(self, resource: int, amount: int = 1) -> bool:
        """Cards of a resource go; False where the hand cannot have had them."""
        possible = amount <= self.least[resource] + self.unknown
        self.total = max(self.total - amount, 0)
        self.least[resource] = max(self.least[resource] - amount, 0)
        return self._trim() and possible

    def lose_any(self, amount: int) -> bool:
        """Cards that nobody shows go; of each resource as many may have."""
        possible = amount <= self.total
        self.total = max(self.total - amount, 0)
        self.least = [max(known - amount, 0) for known in self.least]
        return possible

    def fix(self, resource: int, amount: int) -> None:
        """A resource's number is told. Where others are not known, how many cards there are is."""
        if self.exact:
            self.total += amount - self.least[resource]
        self.least[resource] = amount

    def _trim(self) -> bool:
        """Prove no more cards than there are; False where that had to be mended."""
        if sum(self.least) <= self.total:
            return True
        self.least = [0] * RESOURCES
        return False


@dataclass
class Place:
    """One seat: who sits there, its hand, its pieces on the board and in store, its cards.

    `old` and `new` are development cards by kind, UNKNOWN_CARD for those of others; new ones were
    bought in this turn. `silent` is how many of them can be victory cards at most, for who has ten
    points wins; `shown` counts those that were revealed at the end.
    """

    name: str = ""
    robot: bool = False
    hand: Hand = field(default_factory=Hand)
    roads: set[int] = field(default_factory=set)
    settlements: set[int] = field(default_factory=set)
    cities: set[int] = field(default_factory=set)
    left: list[int] = field(default_factory=lambda: list(PIECES))
    old: Counter[int] = field(default_factory=Counter)
    new: Counter[int] = field(default_factory=Counter)
    knights: int = 0
    silent: int = 0
    shown: int = 0

    @property
    def cards(self) -> int:
        """Development cards that were bought and not played."""
        return self.old.total() + self.new.total()

    @property
    def buildings(self) -> set[int]:
        return self.settlements | self.cities

    def held(self, kinds: Iterable[int]) -> int:
        """How many of its cards are of these kinds, new or old."""
        return sum(self.old[kind] + self.new[kind] for kind in kinds)

    def rate(self, resource: int, board: Board) -> int:
        """How many of a resource the bank wants for one card."""
        kinds = {board.harbour.get(node) for node in self.buildings}
        if resource + 1 in kinds:
            return 2
        return 3 if ANY in kinds else 4


@dataclass(frozen=True)
class Proposal:
    """An offer on the table: whom it is for, and what the offerer gives and gets."""

    to: frozenset[int]
    give: tuple[int, ...]
    get: tuple[int, ...]


@dataclass
class Table:
    """All that a seat `me` knows of its game."""

    me: int
    places: list[Place] = field(default_factory=lambda: [Place() for _ in range(SEATS)])
    board: Board | None = None
    robber: int = 0
    state: int = 0
    turn: int = -1
    first: int = -1
    rolled: bool = False
    dice: int = 0
    card_played: bool = False
    cards_left: int = DECK
    played: Counter[int] = field(default_factory=Counter)
    turns: int = 0  # that were ended
    offers_made: int = 0  # in this turn
    longest_road: int = -1
    largest_army: int = -1
    last_settlement: list[int] = field(default_factory=lambda: [0] * SEATS)
    spot: int = 0  # of the last settlement of all
    offers: dict[int, Proposal] = field(default_factory=dict)
    rejected: dict[int, set[int]] = field(default_factory=dict)
    discards: dict[int, int] = field(default_factory=dict)
    victims: tuple[bool, ...] = ()
    trading: bool = True  # whether players may trade with each other
    shelter: bool = False  # whether the robber may not go back to the desert

    @property
    def own(self) -> Place:
        return self.places[self.me]

    @property
    def bank(self) -> list[tuple[int, int]]:
        """Of each resource, how many cards the bank has at least and at most."""
        hidden = sum(place.hand.unknown for place in self.places)
        most = [BANK - sum(place.hand.least[r] for place in self.places) for r in range(RESOURCES)]
        return [(max(high - hidden, 0), high) for high in most]

    def production(self, total: int) -> dict[int, list[int]]:
        """By seat what a roll gives, by the rules; seats that get nothing are left out.

        An empty seat gets nothing, whatever stands on the board. The server's bank has no end.
        """
        gains = {}
        for seat, place in enumerate(self.places):
            got = [0] * RESOURCES
            if not place.name:
                continue
            for node in place.buildings:
                for resource in self._yields(node, total):
                    got[resource] += 2 if node in place.cities else 1
            if any(got):
                gains[seat] = got
        return gains

    def _yields(self, node: int, total: int) -> list[int]:
        board = self.board
        if board is None:
            return []
        return [
            board.resource[hex_] - 1
            for hex_ in hexes_at(node)
            if board.number.get(hex_) == total and hex_ != self.robber
        ]

    def public_points(self, seat: int) -> int:
        """The points of a seat that all can see."""
        place = self.places[seat]
        awards = (self.longest_road == seat) + (self.largest_army == seat)
        return len(place.settlements) + 2 * len(place.cities) + 2 * awards + place.shown

    def points(self, seat: int) -> int:
        """The points of a seat as far as they are known."""
        hidden = self.own.held(POINT_CARDS) if seat == self.me else 0
        return self.public_points(seat) + hidden

    def affords(self, cost: Sequence[int]) -> bool:
        """Whether the own hand has these cards."""
        return all(have >= want for have, want in zip(self.own.hand.least, cost, strict=True))
