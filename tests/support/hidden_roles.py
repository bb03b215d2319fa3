"""A game of hidden roles, small enough for a naive search: three players, moles among them.

`load_game("tests/support/hidden_roles.py:Moles")` loads it.
"""

from __future__ import annotations

from itertools import product

from facedown.core import CHANCE, OVER, Stream

PLAYERS, ROUNDS = 3, 2
ROLES = ("mole", "loyal")
DEALS = tuple(product(ROLES, repeat=PLAYERS))
Roles = tuple[str, ...]  # as many as are dealt; "?" where it is hidden
Votes = tuple[str, ...]  # one a player, "" where there is none yet
State = tuple[Roles, tuple[str, ...], Votes]  # roles, what has happened, votes that are pending
NONE: Votes = ("",) * PLAYERS


class Moles:
    """Three players, each a mole with probability 1/3, who know their own role only.

    In each of two rounds a leader, player 0 and then player 1, names a partner; all vote in secret,
    one after another, and the votes are shown together. Two who say yes send the partner, who helps
    or, if a mole, may spoil; everyone sees which. Loyal players share the helped rounds, moles the
    others. Between two decisions of a player lie a vote of others, a partner's move, a leader's.
    """

    players, bounds = PLAYERS, (0.0, 1.0)
    moves, most_moves, most_plies = 9, 2, 3 + ROUNDS * 5
    worlds = len(DEALS)

    def start(self) -> State:
        return ((), (), NONE)

    def turn(self, s: State) -> int:
        roles, past, votes = s
        if len(roles) < PLAYERS:
            return CHANCE
        if past and past[-1].startswith("name"):
            return votes.index("")
        if sent(past):
            return partner(past)
        return OVER if rounds(past) == ROUNDS else rounds(past)

    def legal(self, s: State) -> list[str]:
        roles, past, _ = s
        if len(roles) < PLAYERS:
            return [f"deal {role}" for role in ROLES]
        if past and past[-1].startswith("name"):
            return ["yes", "no"]
        if sent(past):
            return ["help", "spoil"] if roles[partner(past)] == "mole" else ["help"]
        return [f"name {p}" for p in range(PLAYERS) if p != rounds(past)]

    def weights(self, s: State) -> list[float]:
        return [1.0, 2.0] if len(s[0]) < PLAYERS else [1.0] * len(self.legal(s))

    def apply(self, s: State, move: str) -> State:
        roles, past, votes = s
        if len(roles) < PLAYERS:
            return ((*roles, move.removeprefix("deal ")), past, votes)
        if move not in ("yes", "no"):
            return (roles, (*past, move), votes)
        votes = cast(votes, move)
        return (roles, past, votes) if "" in votes else (roles, (*past, shown(votes)), NONE)

    def sees(self, s: State, move: str, viewer: int) -> str | None:
        roles, _, votes = s
        if len(roles) < PLAYERS:
            return move if viewer == len(roles) else f"player {len(roles)} is dealt a role"
        if move not in ("yes", "no"):
            return move
        after = cast(votes, move)
        if "" not in after:
            return shown(after)
        return f"you vote {move}" if viewer == votes.index("") else None

    def payoff(self, s: State) -> list[float]:
        roles, past, _ = s
        share = past.count("help") / ROUNDS
        return [share if role == "loyal" else 1 - share for role in roles]

    def hide(self, s: State, viewer: int) -> State:
        roles, past, votes = s
        own = tuple(role if p == viewer else "?" for p, role in enumerate(roles))
        return (own, past, tuple(vote if p == viewer else "" for p, vote in enumerate(votes)))

    def infoset(self, s: State, viewer: int) -> State:
        return self.hide(s, viewer)

    def world(self, s: State, viewer: int, k: int) -> tuple[State, float]:
        """The deals in the order of DEALS; of two moles' moves each was as likely."""
        roles, past, votes = s
        deal, weight = DEALS[k], 1.0
        for known, role in zip(roles, deal, strict=False):
            weight *= (1 / 3 if role == "mole" else 2 / 3) * (known in ("?", role))
        for n, event in enumerate(past):
            if event in ("help", "spoil") and len(roles) == PLAYERS:
                mole = deal[partner(past[:n])] == "mole"
                weight *= 0.5 if mole else float(event == "help")
        return (deal[: len(roles)], past, votes), weight

    def determinize(self, s: State, viewer: int, stream: Stream) -> State:
        found = [self.world(s, viewer, k) for k in range(self.worlds)]
        left = stream.random() * sum(weight for _, weight in found)
        for world, weight in found:
            left -= weight
            if left < 0:
                return world
        return max(found, key=lambda pair: pair[1])[0]

    def copy(self, s: State) -> State:
        return s


def rounds(past: tuple[str, ...]) -> int:
    """How many rounds are over: helped, spoilt or voted down."""
    return sum(e in ("help", "spoil") or (e.startswith("votes") and not agreed(e)) for e in past)


def agreed(event: str) -> bool:
    """Whether a shown vote sends the partner."""
    return event.count("yes") * 2 > PLAYERS


def sent(past: tuple[str, ...]) -> bool:
    """Whether a partner is about to move."""
    return bool(past) and past[-1].startswith("votes") and agreed(past[-1])


def partner(past: tuple[str, ...]) -> int:
    """Who was named last."""
    return int(next(e for e in reversed(past) if e.startswith("name"))[-1])


def cast(votes: Votes, vote: str) -> Votes:
    """The votes with that of the player whose turn it is."""
    voter = votes.index("")
    return (*votes[:voter], vote, *votes[voter + 1 :])


def shown(votes: Votes) -> str:
    """All votes, as everybody sees them."""
    return "votes " + " ".join(votes)
