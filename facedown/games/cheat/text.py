"""Cheat in words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from facedown.core.constants import OVER
from facedown.games.cheat import key as keys
from facedown.games.cheat import tokens
from facedown.games.cheat.cards import RANKS, listed
from facedown.games.cheat.state import (
    BEGINS,
    CALL,
    DEALS,
    DRAWS,
    FALSE_HIGHER,
    LAYS,
    TAKE,
    TURNS,
    UNSEEN,
)
from facedown.games.wording import columns, count, seat_name, turn_text

RANK_NAMES = "A23456789TJQK"
_NUMBERS = ("no", "one", "two", "three", "four")
_WHO = ("player 0", "player 1", "you", "your opponent")


def bare(code: int) -> int:
    """An entry of the line as a move; of a claim unseen, the move if it were true."""
    return code - UNSEEN if code >= UNSEEN else code


def size_of(move: int) -> int:
    """How many cards a claim lays down, by its move."""
    return move % 4 + 1


def lowers(move: int) -> bool:
    """Whether a claim goes one rank down, by its move."""
    return move // 4 % 2 == 1


def next_rank(rank: int, lower: bool, ranks: int = RANKS) -> int:
    """The rank one up or down, the king and the ace being neighbours.

    >>> next_rank(12, False), next_rank(0, True)
    (0, 12)
    """
    return (rank + (-1 if lower else 1)) % ranks


def claim_text(n: int, rank: int) -> str:
    """What is claimed.

    >>> claim_text(1, 0), claim_text(3, 6)
    ('one A', 'three 7s')
    """
    return f"{_NUMBERS[n]} {RANK_NAMES[rank]}{'' if n == 1 else 's'}"


def ranks_text(ranks: list[int]) -> str:
    """Cards by their ranks."""
    return " ".join(RANK_NAMES[rank] for rank in ranks)


def ranks_in(cards: int) -> list[int]:
    """The ranks in counts, the lowest first.

    >>> ranks_in(0x201)
    [0, 2, 2]
    """
    return [rank for rank in range(RANKS) for _ in range(int(cards) >> 4 * rank & 15)]


def move_text(move: int) -> str:
    """A move as people write it: `true higher 2`, `lie lower 1`, `call`, `take`; what chance does
    as `player 1 begins`, `deal 7`, `turn up 7`, `lay 7`, `draw 7`."""
    if move < CALL:
        truth = "lie" if move >= FALSE_HIGHER else "true"
        return f"{truth} {'lower' if lowers(move) else 'higher'} {size_of(move)}"
    if move < BEGINS:
        return "call" if move == CALL else "take"
    if move < DEALS:
        return f"player {move - BEGINS} begins"
    for name, first in (("draw", DRAWS), ("lay", LAYS), ("turn up", TURNS), ("deal", DEALS)):
        if move >= first:
            return f"{name} {RANK_NAMES[move - first]}"
    raise ValueError(f"{move} is no move")


# --- observations ---------------------------------------------------------------------------------


def _field(token: int, shift: int, bits: int) -> int:
    return token >> shift & (1 << bits) - 1


def _does(who: int, verb: str) -> str:
    """Who does what: `you claim`, `player 1 claims`."""
    return f"{_WHO[who]} {verb}{'' if who == tokens.YOU else 's'}"


def observation_text(token: int, *, sealed: bool = True) -> str:
    """What a token of `sees` tells; `sealed`: with a number by which piles are told apart."""
    kind, who = _field(token, 0, 4), _field(token, tokens.WHO, 2)
    rank, move = _field(token, tokens.RANK, 4), _field(token, tokens.MOVE, 5)
    if kind == tokens.CALLED:
        seal = f" (pile {_field(token, tokens.SEAL, 26):07x})" if sealed else ""
        return _called_text(token, who, rank, move) + seal
    if kind == tokens.OWN_CLAIM:
        told = "lying" if move >= FALSE_HIGHER else "truly"
        return f"you claim {claim_text(size_of(move), rank)} ({move_text(move)}), {told}"
    if kind == tokens.CLAIMED:
        return f"{_does(who, 'claim')} {claim_text(move, rank)}"
    name = RANK_NAMES[rank] if rank < RANKS else ""
    return {
        tokens.BEGUN: _does(who, "begin"),
        tokens.OWN_CARD: f"you are dealt {name}",
        tokens.FACE_DOWN: f"{_WHO[who]} is dealt a card",
        tokens.TURNED: f"the card turned up is {name}",
        tokens.OWN_LAY: f"you lay down {name}",
        tokens.OWN_TAKE: "take",
        tokens.OWN_DRAW: f"you take {name}",
        tokens.TOOK: f"{_does(who, 'take')} a card",
    }.get(kind, "nothing")


def _called_text(token: int, who: int, rank: int, n: int) -> str:
    laid = listed(_field(token, tokens.LAID, 16))
    lie = laid[0] != rank
    other = {tokens.YOU: tokens.OPPONENT, tokens.OPPONENT: tokens.YOU}.get(who, 1 - who)
    verdict = f"a lie, {ranks_text(laid)}" if lie else "true"
    table = count(_field(token, tokens.TABLE, 6), "card")
    called = f"{_does(who, 'call')}: {claim_text(n, rank)} was {verdict}"
    return f"{called}; {_does(other if lie else who, 'take')} the {table}"


# --- views ----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Round:
    """A round as a viewer knows it.

    `move` is the move less its truth where that is unseen. `rank` is the rank that was claimed last
    by then, of a claim its own. `true` is None where it is no claim or the truth is unseen. `cards`
    are those laid or taken, as far as known. `taker` is who took the pile after a call.
    """

    player: int
    move: int
    rank: int
    true: bool | None
    cards: tuple[int, ...]
    taker: int | None = None

    @property
    def claims(self) -> bool:
        """Whether it was a claim."""
        return self.move < CALL

    @property
    def laid(self) -> int:
        """How many cards were claimed."""
        return size_of(self.move) if self.claims else 0


def history(view: Any, ranks: int = RANKS) -> list[Round]:
    """All rounds that were played, from a view's record or a true one's."""
    found: list[Round] = []
    rank = int(view["turned"])
    for k in range(int(view["n"])):
        code, cards = int(view["line"][k]), tuple(listed(int(view["laid"][k])))
        player, true, taker = (int(view["first"]) + k) % 2, None, None
        move = bare(code)
        if move < CALL:
            rank = next_rank(rank, lowers(move), ranks)
            true = None if code >= UNSEEN else code < FALSE_HIGHER
        elif code == CALL:
            taker = player if found[-1].true else 1 - player
        found.append(Round(player, move, rank, true, cards, taker))
    return found


def _named(player: int, viewer: int) -> int:
    """A player's place in `_WHO` as the viewer names him."""
    return tokens.YOU if player == viewer else player


def round_text(one: Round, viewer: int) -> str:
    """A round in words, as the viewer knows it."""
    who, cards = _named(one.player, viewer), ranks_text(list(one.cards))
    if one.claims:
        said = f"{_does(who, 'claim')} {claim_text(one.laid, one.rank)}"
        return f"{said} [{cards}]" if cards else said
    if one.move == TAKE:
        return f"{_does(who, 'take')} {cards or 'a card'}"
    assert one.taker is not None  # a call always has one
    verdict = "true" if one.taker == one.player else "a lie"
    return f"{_does(who, 'call')}: {verdict}, {_does(_named(one.taker, viewer), 'take')} the pile"


def hand_text(view: Any, player: int) -> str:
    """A player's cards: faces where they are known."""
    known, size = ranks_in(view["cards"][player]), int(view["size"][player])
    return ranks_text(known) or " ".join("?" * size) or "no cards"


def _seat_row(view: Any, player: int, viewer: int) -> tuple[str, str, str, str]:
    notes = []
    taken = ranks_in(view["known"][player])
    if taken and player != viewer:
        notes.append(f"took in piles: {ranks_text(taken)}")
    if view["times"][player]:
        notes.append(f"caught {count(int(view['times'][player]), 'time')}")
    size = count(int(view["size"][player]), "card")
    return seat_name(player, viewer), size, hand_text(view, player), "; ".join(notes)


def round_of(view: Any, rounds: int) -> str:
    """Which round it is; of a finished game, which was the last."""
    now = int(view["n"]) + (view["actor"] != OVER)
    return f"round {now} of {rounds}"


def status_text(view: Any, viewer: int) -> str:
    """The rank that stands, and whose turn it is."""
    rank = int(view["rank"])
    if rank < 0:
        return turn_text(int(view["actor"]), viewer)
    said = [one for one in history(view) if one.claims]
    claimed = f"{RANK_NAMES[rank]} was {'claimed' if said else 'turned up'}"
    return f"{claimed}; {turn_text(int(view['actor']), viewer)}"


def view_text(view: Any, viewer: int, rounds: int, ranks: int) -> str:
    """A view for the terminal."""
    lines = [f"Cheat, {round_of(view, rounds)}: {status_text(view, viewer)}"]
    lines += columns([_seat_row(view, player, viewer) for player in range(2)])
    deck, table = count(int(view["deck"]), "card"), count(int(view["table"]), "card")
    lines.append(f"  table: {table}; deck: {deck}")
    if view["rank"] >= 0 and view["actor"] != OVER:
        near = [RANK_NAMES[next_rank(int(view["rank"]), lower, ranks)] for lower in (False, True)]
        lines.append(f"  can be claimed: {near[0]} (higher) or {near[1]} (lower)")
    lines += _story(view, viewer, ranks)
    return "\n".join(lines)


def _near(ranks: int, view: Any, number: int) -> tuple[bool, bool]:
    """Whether the higher and the lower neighbour of the standing rank are among `ranks`."""
    up, down = (next_rank(int(view["rank"]), lower, number) for lower in (False, True))
    return bool(ranks >> up & 1), bool(ranks >> down & 1)


def _binned(n: int) -> int:
    return n if n <= 4 else 5 if n <= 8 else 6


def attributes(view: Any, player: int, ranks: int = RANKS) -> keys.Attributes:
    """The sixteen attributes of a player's situation, as `bucket` packs them."""
    other, held = 1 - player, [0, 0]
    known = [0, 0]
    for k, lower in enumerate((False, True)):
        shift = 4 * next_rank(int(view["rank"]), lower, ranks)
        held[k] = int(view["cards"][player]) >> shift & 15
        known[k] = min(int(view["known"][other]) >> shift & 15, 3)
    return keys.Attributes(
        previous=keys.previous_text(int(view["line"][view["n"] - 1]) if view["n"] else None),
        can_claim=(held[0] > 0, held[1] > 0),
        hand=_binned(int(view["size"][player])),
        opponent=_binned(int(view["size"][other])),
        table=_binned(int(view["table"])),
        round=int(view["n"]) + 1,
        known=(known[0], known[1]),
        claimed=_near(int(view["claimed"][player]), view, ranks),
        opponent_claimed=_near(int(view["claimed"][other]), view, ranks),
        caught=_near(int(view["caught"][player]), view, ranks),
        ever_caught=bool(view["times"][player] > 0),
    )


def _story(view: Any, viewer: int, ranks: int) -> list[str]:
    """The rounds since the last call, and those of the pile that was shown by it."""
    rounds, since = history(view, ranks), int(view["since"])
    calls = [k for k in range(since - 1) if rounds[k].move == CALL]
    before = rounds[calls[-1] + 1 if calls else 0 : since]
    lines = []
    if before:
        lines.append("  shown: " + "; ".join(round_text(one, viewer) for one in before))
    if rounds[since:]:
        lines.append("  since: " + "; ".join(round_text(one, viewer) for one in rounds[since:]))
    return lines


def hidden_facts(world: Any, viewer: int) -> list[str]:
    """Whether the other's last claim is true, and the ranks that others hold."""
    facts, rounds = [], history(world)
    if rounds and rounds[-1].claims and rounds[-1].player != viewer:
        verdict = "true" if rounds[-1].true else "a lie"
        facts.append(f"player {rounds[-1].player}'s claim is {verdict}")
    for player in range(2):
        if player != viewer:
            ranks = dict.fromkeys(ranks_in(world["cards"][player]))
            facts += [f"player {player} holds {_a_rank(rank)}" for rank in ranks]
    return facts


def _a_rank(rank: int) -> str:
    name = "10" if RANK_NAMES[rank] == "T" else RANK_NAMES[rank]
    return f"{'an' if name in ('A', '8') else 'a'} {name}"


def hidden_text(world: Any, viewer: int) -> str:
    """What a world holds that the viewer cannot see: the other's last claim, others' hands."""
    told = [fact for fact in hidden_facts(world, viewer) if " claim " in fact]
    for player in range(2):
        hand = ranks_text(ranks_in(world["cards"][player]))
        if player != viewer and hand:
            told.append(f"player {player} holds {hand}")
    return ", ".join(told)
