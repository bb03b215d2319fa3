"""Players of The Resistance by rules of thumb; each decides from its view alone."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from facedown.core import Stream
from facedown.games.resistance.careful import careful_move, watched
from facedown.games.resistance.rules import (
    APPROVE,
    ATTEMPTS,
    FAIL,
    PLAYING,
    REJECT,
    SUCCESS,
    TEAM,
    TO_WIN,
    VOTING,
)
from facedown.games.resistance.table import Table, members
from facedown.games.resistance.text import proposals

_EARLY = 3  # attempts of a round at which one who is careful asks for a team with itself
_TOO_SUSPECT = 0.5  # a bluffer does not sabotage where it would look worse than this


@dataclass(frozen=True)
class Seen:
    """What a player has to go by: the table, its view, who it is."""

    table: Table
    view: Any
    player: int

    @property
    def spies(self) -> int:
        """The mask of spies; 0 for one who is none."""
        return int(self.view["spies"])

    @property
    def team(self) -> int:
        """The team that is voted on, or plays."""
        return int(self.view["team"])

    @property
    def needed(self) -> int:
        """Failures that make this mission the spies'."""
        return self.table.needed[int(self.view["round"])]

    @property
    def last_chance(self) -> bool:
        """Whether the spies win the game by one more rejection."""
        return int(self.view["attempt"]) == ATTEMPTS - 1

    def sent(self) -> list[tuple[int, int]]:
        """The teams that have played, with their failures."""
        return [
            (proposal.team, proposal.failures)
            for proposal in proposals(self.table, self.view)
            if proposal.failures is not None
        ]

    def worlds(self, *more: tuple[int, int], without: int = 0) -> list[int]:
        """The masks of spies that could have played so many failures, none of `without` in them."""
        teams = [*self.sent(), *more]
        return [
            spies
            for spies in self.table.configs
            if not spies & without
            and all((spies & team).bit_count() >= failures for team, failures in teams)
        ]


def clean(team: int, worlds: Sequence[int]) -> float:
    """In which share of the worlds a team has no spy."""
    return sum(not team & spies for spies in worlds) / len(worlds) if worlds else 0.0


def _best(legal: Sequence[int], worth: Callable[[int], float], stream: Stream) -> int:
    """The proposal that is worth most; of equals any."""
    values = {move: worth(move - TEAM) for move in legal}
    highest = max(values.values())
    return stream.choice([move for move in legal if values[move] == highest])


# --- as one of the resistance, or like one --------------------------------------------------------


def _careful_vote(seen: Seen) -> int:
    """Approve what is as likely clean as the best team; ask for less with each rejection.

    What cannot be clean is never approved.
    """
    worlds = seen.worlds(without=1 << seen.player)
    share = clean(seen.team, worlds)
    size = seen.team.bit_count()
    teams = [mask for mask in range(1 << seen.table.players) if mask.bit_count() == size]
    wanted = (1 - int(seen.view["attempt"]) / (ATTEMPTS - 1)) * max(
        clean(team, worlds) for team in teams
    )
    return APPROVE if share > 0.0 and share >= wanted else REJECT


def _careful_team(seen: Seen, legal: Sequence[int], stream: Stream) -> int:
    """Oneself and those who are clean in most worlds."""
    worlds, own = seen.worlds(without=1 << seen.player), 1 << seen.player
    return _best(legal, lambda team: clean(team, worlds) + bool(team & own), stream)


# --- as a spy -------------------------------------------------------------------------------------


def _spies_team(seen: Seen, legal: Sequence[int], stream: Stream, without: int) -> int:
    """Oneself, no more spies than are needed, and those who look cleanest otherwise."""
    worlds, own = seen.worlds(without=without), 1 << seen.player

    def worth(team: int) -> float:
        enough = (team & seen.spies).bit_count() == seen.needed
        return 2.0 * bool(team & own) + enough + clean(team & ~own, worlds)

    return _best(legal, worth, stream)


def _spies_vote(seen: Seen) -> int:
    """Approve what can be sabotaged; reject what would win the game by being rejected."""
    enough = (seen.team & seen.spies).bit_count() >= seen.needed
    return APPROVE if enough and not seen.last_chance else REJECT


def _suspicion(seen: Seen, player: int) -> float:
    """How often a player is a spy in what the table would hold for possible after a sabotage."""
    worlds = seen.worlds((seen.team, seen.needed))
    return sum(spies >> player & 1 for spies in worlds) / max(1, len(worlds))


def _saboteurs(seen: Seen) -> list[int]:
    """The spies on the team who would sabotage it: as many as needed, the least suspect first."""
    sent = members(seen.team & seen.spies)
    if len(sent) < seen.needed:
        return []
    return sorted(sent, key=lambda player: (_suspicion(seen, player), player))[: seen.needed]


def _decisive(seen: Seen) -> bool:
    """Whether this mission can win the game for either side."""
    won = int(seen.view["won"])
    return TO_WIN - 1 in (won, int(seen.view["round"]) - won)


def _lax(seen: Seen) -> bool:
    """Whether anybody who is no spy approved an early team of the first round without itself.

    It is clean in a sixth of the worlds, where one's own is in half of them: who does so cares
    little.
    """
    early = [proposal for proposal in proposals(seen.table, seen.view) if proposal.round == 0]
    return any(
        proposal.votes & ~proposal.team & ~seen.spies & ~(1 << proposal.leader)
        for proposal in early[:_EARLY]
    )


def _hides(seen: Seen, watched: float) -> bool:
    """Whether a guarded spy lets a mission pass that it could sabotage.

    The first, unless the table is lax, and where votes are watched all teams of two: a sabotage of
    two gives half of the spies away, and what passes is taken for clean.
    """
    if int(seen.view["round"]) == 0:
        return not _lax(seen)
    return watched > 0.0 and seen.team.bit_count() == 2


@dataclass(frozen=True)
class Players:
    """The scripted players of a table, by name; `context` is what compiled rules look up."""

    table: Table
    context: Any

    def naive(self, view: Any, player: int, legal: Sequence[int], stream: Stream) -> int:
        """Trusts all who were on no failed mission; as a spy always sabotages."""
        seen = Seen(self.table, view, player)
        failed = 0
        for team, failures in seen.sent():
            failed |= team if failures else 0
        failed &= ~(1 << player)
        if view["phase"] == PLAYING:
            return FAIL if FAIL in legal else SUCCESS
        if view["phase"] == VOTING:
            return REJECT if seen.team & failed else APPROVE
        own = 1 << player
        return _best(legal, lambda team: bool(team & own) - (team & failed).bit_count(), stream)

    def logical(self, view: Any, player: int, legal: Sequence[int], stream: Stream) -> int:
        """Approves no team that cannot be clean; as a spy sabotages where that is enough."""
        seen = Seen(self.table, view, player)
        if view["phase"] == PLAYING:
            return FAIL if player in _saboteurs(seen) else SUCCESS
        if view["phase"] == VOTING:
            return _spies_vote(seen) if seen.spies else _careful_vote(seen)
        if seen.spies:
            return _spies_team(seen, legal, stream, without=0)
        return _careful_team(seen, legal, stream)

    def bluffer(self, view: Any, player: int, legal: Sequence[int], stream: Stream) -> int:
        """Logical, but a spy votes like the others and lets early or suspect missions pass."""
        seen = Seen(self.table, view, player)
        own = 1 << player
        if not seen.spies or not seen.worlds(without=own):  # nothing to hide, or to hide behind
            return self.logical(view, player, legal, stream)
        if view["phase"] == VOTING:
            return REJECT if seen.last_chance else _careful_vote(seen)
        if view["phase"] != PLAYING:
            return _spies_team(seen, legal, stream, without=own)
        if player not in _saboteurs(seen):
            return SUCCESS
        costly = view["round"] == 0 or _suspicion(seen, player) > _TOO_SUSPECT
        return SUCCESS if costly and not _decisive(seen) else FAIL

    def watchful(self, view: Any, player: int, legal: Sequence[int], stream: Stream) -> int:
        """Weighs votes as well as missions, as people vote; a guarded spy."""
        if view["spies"]:
            return self.guarded(view, player, legal, stream)
        if view["phase"] == PLAYING:
            return legal[0]
        return careful_move(self.context, view, player, stream)

    def guarded(self, view: Any, player: int, legal: Sequence[int], stream: Stream) -> int:
        """A spy who votes like the others in the first round, and plays then to whom it plays.

        Open like `logical` among those who go by missions alone; where the others' votes show that
        they watch votes it keeps its cover longer. What decides the game it always sabotages.
        """
        seen = Seen(self.table, view, player)
        if view["phase"] == VOTING and view["round"] == 0 and not seen.last_chance:
            return careful_move(self.context, view, player, stream)
        if view["phase"] == PLAYING and (seen.team & seen.spies).bit_count() >= seen.needed:
            if _decisive(seen):
                return FAIL
            if _hides(seen, watched(self.context, view)):
                return SUCCESS
        return self.logical(view, player, legal, stream)
