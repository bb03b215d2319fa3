"""How people bid in liar's dice, compiled: informed playouts, and dice by what was bid on them."""

from __future__ import annotations

from typing import Any

from facedown.core import below, jit, uniform

BLUFFS = 0.1
_DOUBT = 0.15  # the least that a bid says of any dice: people lie
_TRIES = 64


@jit
def chance(v: Any, s: Any, player: int, bid: int) -> float:
    """How likely a bid holds for one who sees the own dice and takes the others as random."""
    faces, dice, total = int(v["faces"]), int(v["dice"]), int(v["players"] * v["dice"])
    quantity, face = bid // faces + 1, bid % faces
    for k in range(player * dice, (player + 1) * dice):
        if s["dice"][k] == face or s["dice"][k] == faces - 1:
            quantity -= 1
    p, unseen = (1.0 if face == faces - 1 else 2.0) / faces, total - dice
    if quantity <= 0:
        return 1.0
    ways, found = 1.0, 0.0
    for k in range(unseen + 1):  # ways: of k dice of the unseen
        if k >= quantity:
            found += ways * p**k * (1.0 - p) ** (unseen - k)
        ways = ways * (unseen - k) / (k + 1)
    return found


def thumb(v: Any, s: Any, rng: int) -> int:
    """The rule of thumb: call what is less likely than the safest higher bid; bluff at times."""
    bids, faces, n = int(v["bids"]), int(v["faces"]), int(s["n"])
    player, lowest = n % int(v["players"]), int(s["bids"][n - 1]) + 1 if n > 0 else 0
    if lowest >= bids:
        return bids
    if n == 0 and uniform(rng) < BLUFFS:
        return below(rng, faces)
    best, highest = lowest, -1.0
    for bid in range(lowest, min(bids, lowest + 2 * faces)):
        likely = chance(v, s, player, bid)
        if likely > highest:
            best, highest = bid, likely
    if n > 0 and 1.0 - chance(v, s, player, lowest - 1) > highest:
        return bids
    return best


def told(v: Any, s: Any, viewer: int, rng: int) -> None:
    """Dice that the viewer does not see, likelier where their owner's bids were likely to hold."""
    players, dice, faces = int(v["players"]), int(v["dice"]), int(v["faces"])
    for p in range(players):
        if p == viewer or s["rolled"] < (p + 1) * dice:
            continue
        for _ in range(_TRIES):
            for k in range(p * dice, (p + 1) * dice):
                s["dice"][k] = below(rng, faces)
            trust = 1.0
            for b in range(p, s["n"], players):
                trust *= _DOUBT + (1.0 - _DOUBT) * chance(v, s, p, int(s["bids"][b]))
            if uniform(rng) < trust:
                break
    for k in range(s["rolled"]):  # of a player who is rolling still
        if s["dice"][k] < 0:
            s["dice"][k] = below(rng, faces)
