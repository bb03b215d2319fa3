"""Cribbage in words."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from facedown.core.constants import OVER
from facedown.games.cribbage import tokens
from facedown.games.cribbage.cards import CARDS, JACK, SUITS
from facedown.games.cribbage.counting import count, count_text, worth
from facedown.games.cribbage.scoring import tables
from facedown.games.cribbage.state import (
    CLOSED,
    CUTS,
    DEALS,
    GO,
    GO_SAID,
    GOAL,
    PLAY,
    THROW,
    THROWS,
)
from facedown.games.wording import columns, seat_name, turn_text
from facedown.games.wording import count as number_of

RANK_NAMES, SUIT_NAMES = "A23456789TJQK", "cdhs"


def card_text(card: int) -> str:
    """A card as people write it.

    >>> card_text(0), card_text(51), card_text(4 * 9 + 2)
    ('Ac', 'Ks', 'Th')
    """
    return RANK_NAMES[card // SUITS] + SUIT_NAMES[card % SUITS]


def cards_of(cards: int) -> list[int]:
    """The cards of a set, lowest first."""
    return [card for card in range(CARDS) if int(cards) >> card & 1]


def cards_text(cards: int) -> str:
    """A set of cards, lowest first."""
    return " ".join(card_text(card) for card in cards_of(cards))


def pair_cards(pair: int) -> list[int]:
    """The two cards of a pair by its number, the lower first."""
    t = tables(False)[0]
    return [int(t["low"][pair]), int(t["high"][pair])]


def pair_text(pair: int) -> str:
    """The two cards of a pair, the lower first."""
    return " ".join(card_text(card) for card in pair_cards(pair))


def move_text(move: int) -> str:
    """A move as people write it: `5h`, `go`, `Jc Jd` into the crib; `deal 5h` and `cut 5h`."""
    if move < GO:
        return card_text(move)
    if move == GO:
        return "go"
    if move < DEALS:
        return pair_text(move - THROWS)
    return f"deal {card_text(move - DEALS)}" if move < CUTS else f"cut {card_text(move - CUTS)}"


# --- observations ---------------------------------------------------------------------------------

_WHO = ("player 0", "player 1", "you", "your opponent")
_ALIKE = ("", "pair 2", "three of a kind 6", "four of a kind 12")


def _field(token: int, shift: int, bits: int) -> int:
    return token >> shift & (1 << bits) - 1


def _does(who: int, verb: str) -> str:
    """Who does what: `you play`, `player 1 plays`."""
    return f"{_WHO[who]} {verb}{'' if who == tokens.YOU else 's'}"


def observation_text(token: int) -> str:
    """What a token of `sees` tells."""
    kind, who = _field(token, 0, 3), _field(token, tokens.WHO, 2)
    if kind == tokens.OWN_CARD:
        return f"you are dealt {card_text(_field(token, tokens.CARD, 6))}"
    if kind == tokens.FACE_DOWN:
        return f"{_WHO[who]} is dealt a card"
    if kind == tokens.OWN_THROW:
        return f"you put {pair_text(_field(token, tokens.CARD, 11))} into the crib"
    if kind == tokens.THROWN:
        return "both have put two cards into the crib"
    if kind == tokens.TURNED:
        return _turned_text(who, _field(token, tokens.CARD, 6))
    return _play_text(token, who) if kind == tokens.PLAYED else _go_text(token, who)


def _turned_text(dealer: int, card: int) -> str:
    heels = f": his heels, 2 points for {_WHO[dealer]}" if card // SUITS == JACK else ""
    deals = "" if heels else f" ({_does(dealer, 'deal')})"
    return f"the cut is {card_text(card)}{heels}{deals}"


def _play_text(token: int, who: int) -> str:
    card, running = _field(token, tokens.CARD, 6), _field(token, tokens.COUNT, 5)
    said = f"{_does(who, 'play')} {card_text(card)} for {running}"
    made, points = _made(token, running)
    if made:
        said += f", {number_of(points, 'point')} ({', '.join(made)})"
    shown = list(_show_text(token))
    return "; ".join([said, *shown])


def _made(token: int, running: int) -> tuple[list[str], int]:
    """What a play scores, and the sum of it."""
    alike, run = _field(token, tokens.ALIKE, 2), _field(token, tokens.RUN, 3)
    last = _field(token, tokens.LAST, 1)
    items = [
        ({15: "fifteen 2", 31: "thirty-one 2"}.get(running, ""), 2 * (running in (15, 31))),
        (_ALIKE[alike], alike * (alike + 1)),
        (f"run {run}", run),
        ("last card 1", last),
    ]
    return [name for name, points in items if points], sum(points for _, points in items)


def _show_text(token: int) -> Iterator[str]:
    counted, dealer = _field(token, tokens.COUNTED, 2), _field(token, tokens.DEALER, 2)
    pone = {tokens.YOU: tokens.OPPONENT, tokens.OPPONENT: tokens.YOU}.get(dealer, 1 - dealer)
    points = [_field(token, tokens.FIRST_HAND + 5 * k, 5) for k in range(3)]
    if counted > 0:
        yield f"{_does(pone, 'count')} {points[0]}"
    if counted > 1:
        yield f"{_does(dealer, 'count')} {points[1]}"
    if counted > 2:
        pairs = _field(token, tokens.PAIR, 11), _field(token, tokens.OTHER_PAIR, 11)
        yield f"and {points[2]} in the crib ({' '.join(map(pair_text, pairs))})"


def _go_text(token: int, who: int) -> str:
    said = f"{_does(who, 'say')} go at {_field(token, tokens.CARD, 5)}"
    if _field(token, tokens.CLOSES, 1):
        taker = _field(token, tokens.TAKER, 2)
        said += f"; {_does(taker, 'take')} 1 for the last card"
    return said


# --- views ----------------------------------------------------------------------------------------


def series(view: Any) -> list[list[tuple[int, int]]]:
    """The play of this hand, a list for each count: (player, card), or (player, GO)."""
    found: list[list[tuple[int, int]]] = [[]]
    running = 0
    for entry in map(int, view["line"][: view["n"]]):
        if running == 31 or (running == 0 and found[-1]):
            found.append([])
            running = 0
        if entry >= 0:
            found[-1].append((int(view["played"][1]) >> entry & 1, entry))
            running += worth(entry)
        elif entry > CLOSED:
            found[-1].append((GO_SAID - entry, GO))
        else:
            if entry > CLOSED - 2:
                found[-1].append((CLOSED - entry, GO))
            running = 0
    return found


def view_text(view: Any, viewer: int) -> str:
    """A view for the terminal."""
    dealer = seat_name(int(view["dealer"]), viewer)
    lines = [f"Cribbage to {GOAL}: {status_text(view, viewer)}; {dealer} deals"]
    lines += columns([_seat_row(view, player, viewer) for player in range(2)])
    if view["cut"] >= 0:
        lines.append(f"  cut: {card_text(int(view['cut']))}")
    if view["stage"] == PLAY:
        lines += _play_lines(view, viewer)
    if view["n"] == 0 or view["actor"] == OVER:  # in the play it is old news
        lines += _show_lines(view, viewer)
    return "\n".join(lines)


def _seat_row(view: Any, player: int, viewer: int) -> tuple[str, str, str]:
    score, back = int(view["score"][player]), int(view["back"][player])
    pegs = f"{score} (pegs {score} and {back})"
    return seat_name(player, viewer), pegs, hand_text(view, player)


def hand_text(view: Any, player: int) -> str:
    """A player's cards: faces where they are known, and what he put into the crib."""
    known, left = int(view["held"][player]), int(view["left"][player])
    hand = cards_text(known) if known else " ".join(["??"] * left)
    thrown = int(view["thrown"][player])
    return f"{hand or 'no cards'}, in the crib: {cards_text(thrown)}" if thrown else hand


def _play_lines(view: Any, viewer: int) -> list[str]:
    lines = []
    for k, said in enumerate(series(view)):
        words, running = [], 0
        for player, card in said:
            running += worth(card) if card != GO else 0
            who = "you" if player == viewer else f"player {player}"
            words.append(f"{who} go" if card == GO else f"{who} {card_text(card)} ({running})")
        lines.append(f"  {'play' if k == 0 else 'then'}: {', '.join(words) or 'nothing yet'}")
    if view["actor"] != OVER:
        lines.append(f"  count: {int(view['count'])}")
    return lines


def show_items(view: Any) -> list[tuple[int, str, int, dict[str, int]]]:
    """The last show, hand by hand as far as it was counted: player, what, cards, count."""
    cut, dealer = (int(x) for x in view["last"])
    found = []
    for k, what in enumerate(("hand", "hand", "crib")):
        cards = int(view["shown"][k])
        if cards:
            items = count(cards_of(cards), cut, crib=k == 2)
            found.append((dealer if k else 1 - dealer, what, cards, items))
    return found


def _show_lines(view: Any, viewer: int) -> list[str]:
    shown = show_items(view)
    if not shown:
        return []
    rows = [
        (f"  {seat_name(player, viewer)}", what, cards_text(cards), count_text(items))
        for player, what, cards, items in shown
    ]
    return [f"  last show, with the cut {card_text(int(view['last'][0]))}:", *columns(rows)]


def throws(view: Any, viewer: int) -> bool:
    """Whether the viewer still has to put two cards into the crib."""
    return bool(view["stage"] == THROW and viewer >= 0 and view["left"][viewer] == 6)


def status_text(view: Any, viewer: int) -> str:
    """Whose move it is; while both throw, each is asked for his own, whoever is to act first."""
    if throws(view, viewer):
        return "your move, two cards into the crib"
    if view["stage"] == THROW:
        return "both put two cards into the crib"
    if view["actor"] == OVER:
        winner = 0 if view["score"][0] >= GOAL else 1
        return "you have won" if winner == viewer else f"player {winner} has won"
    return turn_text(int(view["actor"]), viewer)


# --- what is hidden -------------------------------------------------------------------------------


def hidden_facts(world: Any, viewer: int) -> list[str]:
    """The ranks that others hold, and those that they have put into the crib."""
    facts = []
    for player in range(2):
        for verb, name in (("holds", "held"), ("threw", "thrown")):
            ranks = {card // SUITS for card in cards_of(int(world[name][player]))}
            if player != viewer:
                facts += [f"player {player} {verb} {a_rank(rank)}" for rank in sorted(ranks)]
    return facts


def a_rank(rank: int) -> str:
    """One card of a rank.

    >>> a_rank(0), a_rank(4), a_rank(9)
    ('an A', 'a 5', 'a 10')
    """
    name = "10" if RANK_NAMES[rank] == "T" else RANK_NAMES[rank]
    return f"{'an' if name in ('A', '8') else 'a'} {name}"


def hidden_text(world: Any, viewer: int) -> str:
    """The cards of others, and what they put into the crib."""
    told = [
        f"player {player} {verb} {cards_text(int(world[name][player]))}"
        for player in range(2)
        for verb, name in (("holds", "held"), ("threw", "thrown"))
        if player != viewer and world[name][player]
    ]
    return ", ".join(told)
