"""The scripted player: plans the fastest way to points, and does what brings the plan nearer.

It plays like JSettlers' robot. For everything that it could build next (a settlement, if need be
with the roads to it, a city, a development card, the longest road) it reckons how many rolls it
would still take to win if it built that first: the rolls until the cost is there, from the hand,
the dice and the bank's rates, and then so many points at the pace that the larger production has.
The plan is what wins first (`_plan`). All else follows from it: what the plan can do without is
offered, swapped, discarded; an offer is accepted if the plan wins sooner with it, and not from
somebody who is about to win; cards are played for the plan; the robber goes where it hurts those
who are ahead.

It decides from what the player to act sees: of others' hands and cards only how many they are. The
same view gives the same move.
"""

from __future__ import annotations

from typing import Any

from facedown.core import jit
from facedown.games.settlers import moves as m
from facedown.games.settlers import state as st
from facedown.games.settlers.building import LEAST_ARMY, LEAST_ROAD
from facedown.games.settlers.geometry import EDGE_AT, HALF, HEXES, NEAR, NEIGHBOUR
from facedown.games.settlers.listing import ALL_NODES, asked_for, playable, victims, wins
from facedown.games.settlers.scripted.speed import (
    ALL,
    DOTS,
    beside,
    is_taken,
    likely,
    longer_road,
    node_dots,
    pace,
    pieces_at,
    player_dots,
    rates_with,
    road_to,
    rolls,
)
from facedown.games.settlers.state import (
    bit,
    count,
    covers,
    first,
    has,
    road_count,
    size,
    total,
    unit,
    victory_cards,
    walls,
)

PATIENCE = 0.5
"""How much of a roll's production a card that is spent counts for: it is missed later."""
DELAY = 1.5
"""Rolls lost where a building cannot be paid at once: one builds in one's own turn alone."""
CONTEST = 4.0
"""Rolls lost, in the mean, at a place that somebody else may take first."""
MARGIN = 0.5
"""Rolls that a trade must win, for it helps the other too."""
NEAR_WIN = 8
"""Points with which nobody is traded with."""
MOST_OFFERS = 3
"""Offers a turn, where each is for one player."""
WORTHWHILE = 6.0
"""Rolls that the plan must wait for a card for which an offer is made."""
HOPE = 0.5
"""Cards of a resource that somebody must be expected to hold to be asked for one."""
LARGE = 7
"""Cards that a seven takes none of."""
OTHER_SPOT = 0x0202020202
"""The second settlement, while the first is placed: two dots of each resource."""

SETTLE_AT, CITY, CARD, LONGEST, OPTIONS = 0, 3, 4, 5, 6
"""What can be planned: a settlement, behind none, one or two roads; a city; a card; the longest
road."""
PAVING_ONLY = (1 << SETTLE_AT + 1) | (1 << SETTLE_AT + 2) | (1 << LONGEST)
ANYTHING = (1 << OPTIONS) - 1


# --- the start ------------------------------------------------------------------------------------


@jit
def _outlook(s: Any, node: int) -> int:
    """Dots of the best place that two roads from a node lead to, were it settled."""
    best, gone = 0, s["blocked"] | NEAR[node]
    for one in range(3):
        step = NEIGHBOUR[node, one]
        for two in range(3):
            if step >= 0 and NEIGHBOUR[step, two] >= 0 and not has(gone, NEIGHBOUR[step, two]):
                best = max(best, total(node_dots(s, NEIGHBOUR[step, two])))
    return best


@jit
def _first_places(s: Any, me: int) -> int:
    """The node of the start that makes points fastest, with what is there or will be."""
    free, best, highest = ALL_NODES & ~s["blocked"], 0, -1.0e9
    other = OTHER_SPOT if s["settlements"][me] == 0 else player_dots(s, me)
    while free != 0:
        node = first(free)
        free &= free - 1
        dots = node_dots(s, node)
        score = -pace(other + dots, rates_with(s, s["rates"][me], node))
        score += 0.25 * total(dots) + 0.1 * _outlook(s, node)
        if score > highest:
            best, highest = node, score
    return m.SETTLE + best


@jit
def _first_road(s: Any) -> int:
    """The road of the start: towards the best place that it can lead to."""
    node, best, highest = int(s["spot"]), 0, -1
    for one in range(3):
        edge, step = EDGE_AT[node, one], NEIGHBOUR[node, one]
        if edge < 0 or is_taken(s, edge):
            continue
        score = 0
        for two in range(3):
            end = NEIGHBOUR[step, two]
            if end >= 0 and not has(s["blocked"], end):
                score = max(score, total(node_dots(s, end)))
        if score > highest:
            best, highest = edge, score
    return m.PAVE + best


# --- the plan -------------------------------------------------------------------------------------


@jit
def _card_gain(s: Any, me: int) -> float:
    """What a development card is worth, in points: victory, progress, and the largest army."""
    gain = 0.2 + 0.08
    if s["army"] == me or s["unplayed"][me] > 2:
        return gain
    wanted = LEAST_ARMY
    for player in range(st.PLAYERS):
        wanted = max(wanted, int(s["knights"][player]) + (1 if player != me else 0))
    wanted -= int(s["knights"][me]) + count(s["cards"][me], st.KNIGHT)
    return gain + (0.6 / (wanted * wanted) if wanted > 0 else 0.0)


@jit
def _roads_to_longest(s: Any, me: int) -> int:
    """How many roads are missing to the longest, 0 for whoever has it."""
    if s["longest"] == me:
        return 0
    wanted = LEAST_ROAD
    for player in range(st.PLAYERS):
        if player != me:
            wanted = max(wanted, int(s["lengths"][player]) + 1)
    return wanted - int(s["lengths"][me])


@jit
def _rivals(s: Any, me: int) -> int:
    """The nodes that others' roads lead to."""
    found = 0
    for player in range(st.PLAYERS):
        if player != me:
            found |= s["reach"][player]
    return found


@jit
def _cost_of(option: int, roads: int) -> int:
    """What an option costs in all; the longest road is `roads` away."""
    if option == CITY:
        return st.CITY_COST
    if option == CARD:
        return st.CARD_COST
    if option == LONGEST:
        return roads * st.ROAD_COST
    return st.SETTLEMENT_COST + option * st.ROAD_COST


@jit
def _plan(s: Any, me: int, hand: int, options: int, dots: int) -> tuple[float, int, int, int]:
    """The best of the options for a hand: rolls to win, the whole cost, its first move, its price.

    The move is -1 where nothing can be built.
    """
    rates, stops = s["rates"][me], walls(s, me)
    needed = float(st.TO_WIN - int(s["points"][me]) - victory_cards(s, me))
    card_rolls = PATIENCE * ALL / max(total(dots), 1)
    settled, paved = size(s["settlements"][me]), road_count(s, me)
    level, seen, rivals = s["reach"][me], s["reach"][me], _rivals(s, me)
    missing, way, length = _roads_to_longest(s, me), -1, 0
    if missing > 0 and missing <= st.MOST_ROADS - paved and missing < LEAST_ROAD:
        way, length = longer_road(s, me, stops)
    best, cost, kind, where = 1.0e9, 0, -1, 0
    for option in range(OPTIONS):
        places, gain = bit(0), 1.0
        if option < CITY:
            if option > 0:
                level = beside(s, level, stops) & ~seen
                seen |= level
            places = level & ~s["blocked"]
            if settled >= st.MOST_SETTLEMENTS or paved + option > st.MOST_ROADS:
                places = 0
        elif option == CITY:
            places = s["settlements"][me] if size(s["cities"][me]) < st.MOST_CITIES else 0
        elif option == CARD:
            places, gain = bit(0) if s["left"] > 0 else 0, _card_gain(s, me)
        elif length <= s["lengths"][me]:
            places = 0
        else:
            gain = 2.0
        if places == 0 or not has(options, option):
            continue
        price = _cost_of(option, missing)
        wait = rolls(hand, price, dots, rates)
        spent = card_rolls * (total(price) - total(hand))
        begin = (1.0 - PATIENCE) * (wait + DELAY if wait > 0 else 0.0) + spent
        left = max(needed - gain, 0.0)
        while places != 0:
            node = first(places)
            places &= places - 1
            more, better, time = dots, rates, begin
            if option <= CITY:
                more += node_dots(s, node)
            if option < CITY:
                better = rates_with(s, rates, node)
                if has(rivals, node) or (option > 0 and rivals & NEAR[node] != 0):
                    time += CONTEST if option > 0 else -CONTEST
            time += left * pace(more, better)
            if time < best:
                best, cost, kind, where = time, price, option, node
    move, pay = -1, cost
    if kind == LONGEST:
        move, pay = m.PAVE + way, st.ROAD_COST
    elif kind == CARD:
        move = m.BUY
    elif kind == CITY:
        move = m.UPGRADE + where
    elif kind == SETTLE_AT:
        move = m.SETTLE + where
    elif kind >= 0:
        move, pay = m.PAVE + road_to(s, me, where, stops), st.ROAD_COST
    return best, cost, move, pay


# --- trades ---------------------------------------------------------------------------------------


@jit
def _spare(hand: int, cost: int, resource: int) -> int:
    """How many cards of a resource a hand has beyond a cost; negative where it lacks some."""
    return count(hand, resource) - count(cost, resource)


@jit
def _swap(s: Any, me: int, hand: int, cost: int, pay: int) -> int:
    """A swap with the bank towards the plan, or towards its first piece; -1 without one.

    What the plan needs is not given. Swaps are made where they complete either, or where a hand is
    so large that a seven would cost it.
    """
    rates, swaps, short, short_now = s["rates"][me], 0, 0, 0
    give, most, get, least = -1, 0, -1, 0
    for resource in range(st.RESOURCES):
        spare, now = _spare(hand, cost, resource), _spare(hand, pay, resource)
        n = max(spare, 0) // count(rates, resource)
        swaps += n
        if n > most:
            give, most = resource, n
        short -= min(spare, 0)
        short_now -= min(now, 0)
        lack = min(spare, 0) + 16 * min(now, 0)  # the first piece first
        if lack < least and has(s["stock"], 8 * resource + 7):
            get, least = resource, lack
    enough = short <= swaps or short_now <= swaps
    if give < 0 or get < 0 or not (enough or total(hand) > LARGE):
        return -1
    return m.SWAP + 4 * give + get - (1 if get > give else 0)


@jit
def _trusted(s: Any, me: int, other: int) -> bool:
    """Whether somebody may be traded with: he is not about to win."""
    return other != me and s["held"][other] > 0 and s["points"][other] < NEAR_WIN


@jit
def _best_offer(hand: int, cost: int, dots: int) -> tuple[int, int]:
    """Which card to give for which: what there is too much of, for what the plan waits for longest.

    Both are -1 where no such trade would help.
    """
    give, most, get, longest = -1, 0.0, -1, WORTHWHILE
    for resource in range(st.RESOURCES):
        spare, paid = float(_spare(hand, cost, resource)), float(count(dots, resource))
        if spare > 0.0 and spare + 0.05 * paid > most:
            give, most = resource, spare + 0.05 * paid
        wait = -spare * ALL / (paid + 1.0)
        if wait > longest:
            get, longest = resource, wait
    return (give, get) if give >= 0 and get >= 0 else (-1, -1)


@jit
def _asked(s: Any, me: int, wanted: int, n: int) -> tuple[int, int]:
    """Who most likely has a card of a resource, up to n players, a bit each; and the last of them.

    The last is -1 where there are fewer who may be traded with.
    """
    found, last = 0, -1
    for _ in range(n):
        last, best = -1, HOPE
        for other in range(st.PLAYERS):
            if _trusted(s, me, other) and not has(found, other):
                chance = likely(s, other, wanted)
                if chance > best:
                    last, best = other, chance
        if last >= 0:
            found |= bit(last)
    return found, last


@jit
def _offer(v: Any, s: Any, me: int, hand: int, cost: int, dots: int) -> int:
    """An offer to others that brings the plan nearer, or the next step of one; -1 without one.

    One card for one: in the paper's way to one after the other, those who most likely have it
    first, at a table to all who may.
    """
    table, composing = v["offers"] == st.TABLE_OFFERS, s["phase"] == st.COMPOSING
    most = 1 if table else MOST_OFFERS
    if v["offers"] == st.NO_OFFERS or (s["offers"] >= most and not composing):
        return -1
    give, get = _best_offer(hand, cost, dots)
    if give < 0:
        return -1
    asked, other = _asked(s, me, get, st.PLAYERS - 1 if table else int(s["offers"]) + 1)
    if asked == 0 or (other < 0 and not table):
        return -1
    if not table:
        return m.TRADE + m.OFFERS * other + m.SINGLE_SPAN * give + get - (1 if get > give else 0)
    if not composing:
        return m.COMPOSE
    return _step(s, unit(give), unit(get), asked)


@jit
def _step(s: Any, gives: int, gets: int, asked: int) -> int:
    """The next step of making up an offer; CANCEL where something else was begun."""
    side = 0 if s["asker"] == s["player"] else 2
    given, gotten, to = s["terms"][side], s["terms"][side + 1], int(s["to"]) if side == 0 else 0
    if (given != 0 and given != gives) or (gotten != 0 and gotten != gets) or to & ~asked != 0:
        return m.CANCEL
    if given == 0:
        return m.GIVE + first(gives) // 8
    if gotten == 0:
        return m.ASK + first(gets) // 8
    for other in range(st.PLAYERS):  # in the order of seats
        if side == 0 and has(asked, other) and to >> other == 0:
            return m.ADDRESS + other
    return m.PROPOSE


# --- cards and the robber -------------------------------------------------------------------------


@jit
def _threat(s: Any, player: int) -> float:
    """How much a player is to be feared: the leader most."""
    ahead = float(s["points"][player]) + 0.25 * float(s["unplayed"][player])
    return ahead * ahead


@jit
def _robbed_hex(s: Any, me: int) -> int:
    """The hex where the robber costs those ahead most, and not oneself."""
    best, highest = 0, -1.0e9
    for hexagon in range(HEXES):
        if hexagon == s["robber"]:
            continue
        dots, score = DOTS[s["numbers"][hexagon]], 0.0
        for player in range(st.PLAYERS):
            pieces = pieces_at(s, player, hexagon)
            if pieces == 0:
                continue
            if player == me:
                score -= 1000.0 * pieces * (dots + 1)
            else:
                held = 1.0 if s["held"][player] > 0 else 0.0
                score += _threat(s, player) * (pieces * dots + held)
        if score > highest:
            best, highest = hexagon, score
    return m.ROB + best


@jit
def _victim(s: Any, me: int) -> int:
    """Whom to rob: whoever is ahead."""
    found, best, highest = victims(s, me, int(s["robber"])), 0, -1.0
    while found != 0:
        player = first(found)
        found &= found - 1
        score = _threat(s, player) + 0.01 * float(s["held"][player])
        if score > highest:
            best, highest = player, score
    return m.CHOOSE + best


@jit
def _plenty(s: Any, hand: int, cost: int) -> int:
    """A year of plenty that completes the plan, -1 without one."""
    one, two, lacking = -1, -1, 0
    for resource in range(st.RESOURCES):
        short = -min(_spare(hand, cost, resource), 0)
        lacking += short
        if short > 0 and has(s["stock"], 8 * resource + 7):
            if one < 0:
                one = resource
                two = resource if short > 1 else two
            elif two < 0:
                two = resource
    if one < 0 or lacking > 2:
        return -1
    two = one if two < 0 else two
    for pair in range(m.PAIRS):
        if m.PAIR[pair, 0] == one and m.PAIR[pair, 1] == two:
            return m.PLAY_PLENTY + pair
    return -1


@jit
def _monopoly(s: Any, me: int, hand: int, cost: int) -> int:
    """A monopoly on what the plan lacks, where it should take three cards or all that lack."""
    best, highest = -1, 2.0
    for resource in range(st.RESOURCES):
        expected = 0.0
        for other in range(st.PLAYERS):
            if other != me:
                expected += likely(s, other, resource)
        if _spare(hand, cost, resource) < 0:
            expected += 1.0
        if expected > highest:
            best, highest = resource, expected
    return m.PLAY_MONOPOLY + best if best >= 0 else -1


@jit
def _card(s: Any, me: int, hand: int, cost: int, move: int) -> int:
    """A development card for the plan after the dice, -1 for none."""
    cards = playable(s, me)
    if cards == 0:
        return -1
    paves = m.PAVE <= move < m.SWAP
    if count(cards, st.ROAD_BUILDING) > 0 and paves:
        return m.PLAY_ROADS
    found = -1
    if count(cards, st.PLENTY) > 0:
        found = _plenty(s, hand, cost)
    if found < 0 and count(cards, st.MONOPOLY) > 0:
        found = _monopoly(s, me, hand, cost)
    if found < 0 and count(cards, st.KNIGHT) > 0:
        found = m.PLAY_KNIGHT
    return found


@jit
def _before(s: Any, me: int) -> int:
    """Before the dice: a knight where the robber stands on one's own hex, else roll."""
    if count(playable(s, me), st.KNIGHT) > 0 and pieces_at(s, me, int(s["robber"])) > 0:
        return m.PLAY_KNIGHT
    return m.ROLL


# --- decisions ------------------------------------------------------------------------------------


@jit
def _discard(hand: int, cost: int, dots: int) -> int:
    """The card that the plan can best do without: there are most of it, it soon comes again."""
    best, highest = 0, -1.0e9
    for resource in range(st.RESOURCES):
        score = float(_spare(hand, cost, resource)) + 0.01 * count(dots, resource)
        if count(hand, resource) > 0 and score > highest:
            best, highest = resource, score
    return m.DISCARD + best


@jit
def _act(v: Any, s: Any, me: int, hand: int, cost: int, move: int, pay: int, dots: int) -> int:
    """A step of one's turn: build, play a card, offer, swap, or end it."""
    composing = s["phase"] == st.COMPOSING
    found = -1
    if not composing:
        if move >= 0 and covers(hand, pay):
            return move
        found = _card(s, me, hand, cost, move)
    if found < 0 and move >= 0:
        found = _offer(v, s, me, hand, cost, dots)
    if composing:
        return found if found >= 0 else m.CANCEL
    if found < 0 and move >= 0:
        found = _swap(s, me, hand, cost, pay)
    return found if found >= 0 else m.END


@jit
def _any_road(s: Any, me: int) -> int:
    """Any road that may be built."""
    low = s["frontier"][2 * me] & ~s["taken"][0]
    if low != 0:
        return m.PAVE + first(low)
    return m.PAVE + HALF + first(s["frontier"][2 * me + 1] & ~s["taken"][1])


@jit
def _after_trade(s: Any, hand: int) -> int:
    """The hand of whoever answers the offer on the table if he accepts it; -1 where he cannot."""
    asked = asked_for(s)
    if not covers(hand, asked):
        return -1
    gives = s["terms"][0] if s["asker"] == s["player"] else s["terms"][2]
    return hand - asked + gives  # type: ignore[no-any-return]


@jit
def _planned(v: Any, s: Any, me: int, phase: int) -> int:
    """The decisions that follow from a plan."""
    hand, options, dots = s["hands"][me], ANYTHING, player_dots(s, me)
    if phase == st.PAVING_FREE:
        hand, options = hand + s["free"] * st.ROAD_COST, PAVING_ONLY
    answers, then = phase == st.ANSWERING, -1
    if answers:
        then = _after_trade(s, hand)
        if then < 0 or not _trusted(s, me, int(s["asker"])):
            return m.REJECT
    before, after, cost, move, pay = 0.0, 0.0, 0, -1, 0
    for k in range(2 if answers else 1):  # once with the hand, once with that after the trade
        before = after
        after, cost, move, pay = _plan(s, me, hand if k == 0 else then, options, dots)
    if answers:
        return m.ACCEPT if after + MARGIN < before else m.REJECT
    if phase == st.PAVING_FREE:
        return move if move >= 0 else _any_road(s, me)
    if phase == st.DISCARDING:
        return _discard(hand, cost, dots)
    return _act(v, s, me, hand, cost, move, pay, dots)


def scripted(v: Any, s: Any, rng: int) -> int:
    """The move of the player to act."""
    phase, me = int(s["phase"]), int(s["actor"])
    if phase == st.SETTLING:
        return _first_places(s, me)
    if phase == st.PAVING:
        return _first_road(s)
    talking = phase == st.ANSWERING or phase == st.COMPOSING or phase == st.DISCARDING
    if wins(s) and not talking:
        return m.CLAIM
    if phase == st.BEFORE:
        return _before(s, me)
    if phase == st.ROBBING:
        return _robbed_hex(s, me)
    if phase == st.CHOOSING:
        return _victim(s, me)
    return _planned(v, s, me, phase)
