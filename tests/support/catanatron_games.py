"""Random games of Settlers in our engine and in catanatron's at once, compared after every move.

Both are given the same board, dice, cards and moves; what either lists as legal, and what its
position says, must be the same: hands, bank, deck, pieces, points, longest road, largest army.
Where catanatron departs from the rules its position is put right, so that the game can go on, and
the departure is counted by name (`FAULTS`). A difference that is none of these is an error: a fault
of ours, or one that nobody has named yet.

    PYTHONPATH=tests python -m support.catanatron_games --games 500
"""

from __future__ import annotations

import argparse
import random
from collections import Counter
from collections.abc import Iterator
from typing import Any

from catanatron.models.actions import generate_playable_actions
from catanatron.models.decks import freqdeck_subtract
from catanatron.state import State, apply_action
from catanatron.state_functions import player_freqdeck_add

from facedown.core import CHANCE, OVER, Position
from facedown.games.registry import load_game
from facedown.games.settlers import moves as m
from facedown.games.settlers import state as st
from facedown.games.settlers.setup import board_of
from facedown.games.settlers.state import unpack
from support import catanatron_table as their
from support.catanatron_table import CARDS, EDGE, HEX, NODE, RESOURCES, of_player

FRESH, ONLY_KNIGHTS, PRICE, ONE_CARD, REST = "fresh", "only knights", "price", "one card", "rest"
LENGTH, SHORT, TIE, TURN = "length", "short", "tie", "turn"
FAULTS = {
    FRESH: "a development card may be played in the turn in which it was bought",
    ONLY_KNIGHTS: "before the dice no other card than a knight may be played",
    PRICE: "road building wants a hand that could pay for a road, though its roads are free",
    ONE_CARD: "a year of plenty may take one card where the bank has two",
    REST: "the only player who is due does not get what the bank has left",
    LENGTH: "a road that leads to another's building at either end is counted too short",
    SHORT: "after a cut the longest road goes to one of fewer than five",
    TIE: "after a cut the longest road goes to one of several who tie",
    TURN: "a player wins in another's turn",
}
"""What catanatron 3.2.1 does against the rules, by name. Each is steered around and counted."""

_UNDER_WAY = (st.ROLLING, st.DRAWING, st.STEALING, st.CHOOSING)
"""Phases of ours within one action of theirs."""
_CARD_ACTIONS = {
    "PLAY_KNIGHT_CARD": st.KNIGHT,
    "PLAY_ROAD_BUILDING": st.ROAD_BUILDING,
    "PLAY_YEAR_OF_PLENTY": st.PLENTY,
    "PLAY_MONOPOLY": st.MONOPOLY,
}
_Listed = set[tuple[str, Any]]


class Departure(AssertionError):
    """The two engines differ, and no known fault says why."""


class Both:
    """A game in both engines. `faults` counts theirs, `seen` what was compared."""

    def __init__(self, position: Position) -> None:
        self.position = position
        self.faults: Counter[str] = Counter()
        self.seen: Counter[str] = Counter()
        self.players = int(position.game.players)
        self.state: State = their.seat_down(board_of(position.record), self.players)
        self._said: list[tuple[int, int]] = []  # who made which moves that are one of their actions
        self._longest = st.NONE  # who held the longest road before the last move
        self._ahead: set[int] = set()  # who has the points to win

    @property
    def record(self) -> Any:
        return self.position.record

    # --- playing ---------------------------------------------------------------------------------

    def play(self, move: int) -> None:
        """Play a move of ours in both, and compare as soon as they stand at the same point."""
        self.seen["moves"] += 1
        player, phase, actor = (int(self.record[k]) for k in ("player", "phase", "actor"))
        self._said.append((actor, move))
        self.position.apply(move)
        if move == m.CLAIM:
            self._check_win(player)
            return
        if self.record["phase"] in _UNDER_WAY or phase == self.record["phase"] == st.DISCARDING:
            return
        if phase == st.DISCARDING:
            self._discard()
        else:
            self._ask_them(player, [said for _, said in self._said])
        self._said.clear()
        self.compare()

    def _ask_them(self, player: int, said: list[int]) -> None:
        move, last = said[0], said[-1]
        if m.ROB <= move < m.CHOOSE:
            self._do(player, "MOVE_ROBBER", self._robbery(said))
        elif move == m.ROLL:
            self._roll(player, last - m.DICE + 2)
        elif move == m.BUY:
            self._do(player, "BUY_DEVELOPMENT_CARD", CARDS[last - m.DRAW])
        else:
            self._do(player, *self._simple(move))

    def _do(self, seat: int, kind: str, value: Any = None) -> None:
        apply_action(self.state, their.action(self.state, seat, kind, value))

    def _simple(self, move: int) -> tuple[str, Any]:
        """A move that is one action as it stands."""
        if move == m.END:
            return "END_TURN", None
        if move == m.PLAY_KNIGHT:
            return "PLAY_KNIGHT_CARD", None
        if move == m.PLAY_ROADS:
            return "PLAY_ROAD_BUILDING", None
        if m.SETTLE <= move < m.UPGRADE:
            return "BUILD_SETTLEMENT", NODE[move - m.SETTLE]
        if m.UPGRADE <= move < m.PAVE:
            return "BUILD_CITY", NODE[move - m.UPGRADE]
        if m.PAVE <= move < m.SWAP:
            return "BUILD_ROAD", EDGE[move - m.PAVE]
        if m.SWAP <= move < m.PLAY_PLENTY:
            return "MARITIME_TRADE", self._trade(move)
        if m.PLAY_PLENTY <= move < m.PLAY_MONOPOLY:
            return "PLAY_YEAR_OF_PLENTY", self._taken(move)
        if m.PLAY_MONOPOLY <= move < m.DISCARD:
            return "PLAY_MONOPOLY", RESOURCES[move - m.PLAY_MONOPOLY]
        raise Departure(f"{self.position.game.move_text(move)} is no move of theirs")

    def _trade(self, move: int) -> tuple[str | None, ...]:
        given, gotten = m.swap_of(move)
        rate = unpack(self.record["rates"][self.record["player"]])[given]
        return (*[RESOURCES[given]] * rate, *[None] * (4 - rate), RESOURCES[gotten])

    def _taken(self, move: int) -> tuple[str, ...]:
        """What a year of plenty takes by our rules, in their order; twice the last card is one."""
        pair = [int(r) for r in m.PAIR[move - m.PLAY_PLENTY]]
        names = sorted((RESOURCES[r] for r in pair), key=their.THEIR_ORDER.index)
        left = their.bank(self.state)[pair[0]]  # theirs: ours may have paid already
        return tuple(names[:1]) if pair[0] == pair[1] and left == 1 else tuple(names)

    def _robbery(self, said: list[int]) -> tuple[Any, ...]:
        where = HEX[said[0] - m.ROB]
        if len(said) == 1:
            return where, None, None
        stolen = RESOURCES[said[-1] - m.STEAL]
        if len(said) == 3:
            return where, self.state.colors[said[1] - m.CHOOSE], stolen
        victims = {value[1] for _, value in self._theirs() if value[0] == where}
        if len(victims) != 1:
            raise Departure(f"one victim at {where}, theirs are {victims}")
        return where, victims.pop(), stolen

    def _roll(self, player: int, dice: int) -> None:
        owed, left = their.claims(self.state, dice), their.bank(self.state)
        self._do(player, "ROLL", (dice // 2, dice - dice // 2))
        self.seen["rolls"] += 1
        if dice == 7:
            return
        for name, due in owed.items():
            there = left[RESOURCES.index(name)]
            if due.total() > there:
                self.seen["shortages"] += 1
                if len(due) == 1 and there:
                    self._pay_rest(next(iter(due)), name, there)

    def _pay_rest(self, seat: int, name: str, n: int) -> None:
        self.faults[REST] += 1
        rest = [n if other == name else 0 for other in their.THEIR_ORDER]
        player_freqdeck_add(self.state, self.state.colors[seat], rest)
        self.state.resource_freqdeck = freqdeck_subtract(self.state.resource_freqdeck, rest)
        self.state.playable_actions = generate_playable_actions(self.state)

    def _discard(self) -> None:
        """Ours discard card by card from the player on, theirs a hand at once in seat order."""
        thrown: dict[int, list[str]] = {}
        for actor, move in self._said:
            thrown.setdefault(actor, []).append(RESOURCES[move - m.DISCARD])
        for seat in sorted(thrown):
            if self.state.current_player_index != seat:
                raise Departure(f"player {seat} discards, theirs {self.state.current_player_index}")
            self._do(seat, "DISCARD", thrown[seat])
        self.seen["discards"] += len(thrown)

    # --- comparing -------------------------------------------------------------------------------

    def compare(self) -> None:
        """Both positions, what is theirs put right where a known fault says why."""
        self.seen["compared"] += 1
        self._compare_roads()
        self._equal("player", int(self.record["player"]), self.state.current_turn_index)
        self._equal("bank", unpack(self.record["bank"]), their.bank(self.state))
        self._equal("deck", unpack(self.record["deck"]), their.deck(self.state))
        self._equal("robber", HEX[self.record["robber"]], self.state.board.robber_coordinate)
        self._equal("army", int(self.record["army"]), their.holder(self.state, "HAS_ARMY"))
        for seat in range(self.players):
            self._compare_seat(seat)
        self._compare_winners()
        self._compare_legal()

    def _equal(self, what: str, ours: Any, theirs: Any) -> None:
        if ours != theirs:
            raise Departure(
                f"{what}: ours {ours}, theirs {theirs}, after {self.seen['moves']} moves"
            )

    def _compare_seat(self, seat: int) -> None:
        s = self.record
        held = unpack(s["cards"][seat])
        pairs = {
            "hand": (unpack(s["hands"][seat]), their.hand(self.state, seat)),
            "cards": (held, their.cards(self.state, seat)),
            "knights": (int(s["knights"][seat]), of_player(self.state, seat, "PLAYED_KNIGHT")),
            "points": (int(s["points"][seat]), of_player(self.state, seat, "VICTORY_POINTS")),
            "all points": (
                int(s["points"][seat]) + held[st.VICTORY],
                of_player(self.state, seat, "ACTUAL_VICTORY_POINTS"),
            ),
            "pieces": (self._pieces(seat), their.pieces(self.state, seat)),
        }
        for what, (ours, theirs) in pairs.items():
            self._equal(f"{what} of player {seat}", ours, theirs)

    def _pieces(self, seat: int) -> tuple[set[int], set[int], set[int]]:
        s = self.record
        low, high = int(s["roads"][2 * seat]), int(s["roads"][2 * seat + 1])
        return (
            set(_members(int(s["settlements"][seat]))),
            set(_members(int(s["cities"][seat]))),
            {*_members(low), *(36 + k for k in _members(high))},
        )

    def _compare_roads(self) -> None:
        """Lengths and holder of the longest road; brute force and the rule itself decide."""
        ours, theirs = [int(n) for n in self.record["lengths"]], their.lengths(self.state)
        wrong = False
        for seat, (one, other) in enumerate(zip(ours, theirs, strict=False)):
            if one != other:
                self._equal(f"road of player {seat}, counted", one, their.trails(self.state, seat))
                if one < other or not their.meets_others(self.state, seat):
                    raise Departure(f"road of player {seat}: ours {one}, theirs {other}")
                self.faults[LENGTH] += 1
                wrong = True
        held, taken = int(self.record["longest"]), their.holder(self.state, "HAS_ROAD")
        self._equal("holder of the longest road, by the rule", held, rightful(self._longest, ours))
        self.seen["holders"] += held != self._longest
        if held != taken and not wrong:
            if taken == st.NONE:
                raise Departure(f"longest road: ours {held}, theirs nobody")
            self.faults[SHORT if theirs[taken] < 5 else TIE] += 1
            if theirs[taken] >= 5 and theirs.count(theirs[taken]) < 2:
                raise Departure(f"longest road: ours {held}, theirs {taken}")
        self._longest = held
        if wrong or held != taken:
            their.put_road(self.state, ours[: self.players], held)

    def _compare_winners(self) -> None:
        """Whoever has ten points wins by their rules at once, by ours in his own turn."""
        seats = range(self.players)
        ahead = {p for p in seats if of_player(self.state, p, "ACTUAL_VICTORY_POINTS") >= 10}
        new = ahead - self._ahead - {int(self.record["player"])}
        self.faults[TURN] += len(new)
        self._ahead = ahead

    def _check_win(self, player: int) -> None:
        if player not in self._ahead:
            raise Departure(f"player {player} claims the game with fewer than ten points of theirs")
        self.seen["wins"] += 1

    def _compare_legal(self) -> None:
        phase, turn = int(self.record["phase"]), self.position.turn()
        if turn == OVER or self.position.legal() == [m.CLAIM]:
            return
        if phase == st.DISCARDING:
            sizes = [sum(their.hand(self.state, seat)) for seat in range(self.players)]
            owed = [n // 2 if n > 7 else 0 for n in sizes]
            self._equal("discards", [int(n) for n in self.record["owed"]][: self.players], owed)
            self._equal("prompt", "DISCARD", self.state.current_prompt.value)
            return
        self._equal("who acts", turn, self.state.current_player_index)
        ours, theirs = self._ours(), self._theirs()
        mended = self._mended(ours, theirs)
        if ours != mended:
            raise Departure(
                f"legal: ours alone {ours - mended}, theirs alone {mended - ours}, "
                f"after {self.seen['moves']} moves"
            )
        self.seen["legal moves"] += len(ours)
        for kind in {kind for kind, _ in ours}:
            self.seen[kind] += 1

    def _theirs(self) -> _Listed:
        return {(a.action_type.value, a.value) for a in self.state.playable_actions}

    def _ours(self) -> _Listed:
        found: _Listed = set()
        for move in self.position.legal():
            if move == m.ROLL:
                found.add(("ROLL", None))
            elif move == m.BUY:
                found.add(("BUY_DEVELOPMENT_CARD", None))
            elif m.ROB <= move < m.CHOOSE:
                found |= {("MOVE_ROBBER", (HEX[move - m.ROB], v, None)) for v in self._prey(move)}
            else:
                found.add(self._simple(move))
        return found

    def _prey(self, move: int) -> list[Any]:
        """Who could be robbed after a move of the robber; None where nobody could."""
        after = self.position.copy()
        after.apply(move)
        if after.record["phase"] == st.STEALING:
            return [self.state.colors[after.record["victim"]]]
        if after.record["phase"] == st.CHOOSING:
            return [self.state.colors[choice - m.CHOOSE] for choice in after.legal()]
        return [None]

    def _mended(self, ours: _Listed, theirs: _Listed) -> _Listed:
        """Their legal moves without what their known faults add, with what they leave out."""
        player = int(self.record["player"])
        held, fresh = their.cards(self.state, player), unpack(self.record["fresh"])
        bought = {k for k, card in _CARD_ACTIONS.items() if 0 < held[card] == fresh[card]}
        found = self._drop(theirs, FRESH, {one for one in theirs if one[0] in bought})
        left = dict(zip(RESOURCES, their.bank(self.state), strict=True))
        singles = {one for one in found if one[0] == "PLAY_YEAR_OF_PLENTY" and len(one[1]) == 1}
        found = self._drop(found, ONE_CARD, {one for one in singles if left[one[1][0]] > 1})
        playable = {k for k, card in _CARD_ACTIONS.items() if held[card] > fresh[card]}
        missing = {one for one in ours - found if one[0] in playable}
        phase, poor = int(self.record["phase"]), not self._has_price(player)
        if phase == st.BEFORE and missing:
            self.faults[ONLY_KNIGHTS] += 1
            return found | missing
        if phase == st.ACTING and poor and missing == {("PLAY_ROAD_BUILDING", None)}:
            self.faults[PRICE] += 1
            return found | missing
        if phase == st.PAVING_FREE and poor:
            self.faults[PRICE] += 1
            self.state.is_road_building = True
            free = self.state.board.buildable_edges(self.state.colors[player])
            return {("BUILD_ROAD", edge) for edge in free}
        return found

    def _drop(self, listed: _Listed, fault: str, wrong: _Listed) -> _Listed:
        self.faults[fault] += bool(wrong)
        return listed - wrong

    def _has_price(self, player: int) -> bool:
        hand = their.hand(self.state, player)
        return hand[st.BRICK] > 0 and hand[st.WOOD] > 0


def _members(mask: int) -> Iterator[int]:
    return (k for k in range(mask.bit_length()) if mask >> k & 1)


def rightful(before: int, lengths: list[int]) -> int:
    """Who holds the longest road by the rule, given who held it before: -1 is nobody.

    At least five; the holder keeps it while nobody's is longer; several who tie do not get it.
    """
    best = max(lengths)
    leaders = [seat for seat, n in enumerate(lengths) if n == best >= 5]
    if before in leaders:
        return before
    return leaders[0] if len(leaders) == 1 else st.NONE


def choose(position: Position, rng: random.Random, by_kind: bool) -> int:
    """A random move: of all legal ones, or of a random kind. Chance's by its weights."""
    legal = position.legal()
    if position.turn() == CHANCE:
        return int(rng.choices(legal, position.weights())[0])
    if by_kind:
        kinds = sorted({int(m.KIND_OF[move]) for move in legal})
        kind = rng.choice(kinds)
        legal = [move for move in legal if m.KIND_OF[move] == kind]
    return int(rng.choice(legal))


def play_both(seed: int) -> Both:
    """A whole random game in both engines, for three in every third, by kinds in every second."""
    players = 3 if seed % 3 == 2 else 4
    game = load_game(f"settlers:offers=none,players={players},board={seed}")
    rng = random.Random(seed)
    both = Both(game.start())
    both.compare()
    while both.position.turn() != OVER:
        both.play(choose(both.position, rng, by_kind=seed % 2 == 1))
    return both


def main() -> None:
    """Play so many games, and tell what was compared and how often they depart from the rules."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=500)
    parser.add_argument("--first", type=int, default=0, help="the first game's seed")
    wanted = parser.parse_args()
    seen: Counter[str] = Counter()
    faults: Counter[str] = Counter()
    for seed in range(wanted.first, wanted.first + wanted.games):
        try:
            both = play_both(seed)
        except Departure as departure:
            raise SystemExit(f"game {seed}: {departure}") from departure
        seen, faults = seen + both.seen, faults + both.faults
    for what, n in sorted(seen.items()):
        print(f"{what:24}{n:>12,}")
    print("\nby catanatron against the rules:")
    for name, words in FAULTS.items():
        print(f"{faults[name]:>9,}  {words}")


if __name__ == "__main__":
    main()
