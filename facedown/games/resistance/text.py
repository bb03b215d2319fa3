"""The Resistance in words."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from facedown.games.resistance import rules
from facedown.games.resistance.rules import (
    ATTEMPTS,
    DEALING,
    ENDED,
    FAIL,
    MASKS,
    PLAYING,
    PROPOSING,
    SHIFT,
    TEAM,
    TO_WIN,
    UNPLAYED,
    VOTING,
)
from facedown.games.resistance.table import Table, members
from facedown.games.wording import columns, count, seat_name

MOVE_NAMES = ("reject", "approve", "success", "fail")
SPY, LOYAL, UNKNOWN = "spy", "resistance", "?"


@dataclass(frozen=True)
class Proposal:
    """A team that was put to the vote; `failures` is None where it was not sent or still plays."""

    round: int
    leader: int
    team: int
    votes: int
    sent: bool
    failures: int | None


def names(mask: int) -> str:
    """The players of a mask by their numbers."""
    return " ".join(map(str, members(mask)))


def listed(mask: int) -> str:
    """The players of a mask as in a sentence.

    >>> listed(0b1010), listed(0b1), listed(0b111)
    ('1 and 3', '0', '0, 1 and 2')
    """
    numbers = [str(player) for player in members(mask)]
    return " and ".join(filter(None, (", ".join(numbers[:-1]), numbers[-1])))


def proposals(table: Table, view: Any) -> Iterator[Proposal]:
    """The teams voted on so far, first first."""
    leader = 0
    for k in range(rules.MISSIONS):
        for cell in view["past"][ATTEMPTS * k : ATTEMPTS * (k + 1)]:
            if cell == 0:
                break
            team, votes = int(cell) & (MASKS - 1), int(cell) >> SHIFT
            sent = 2 * votes.bit_count() > table.players
            known = int(view["failures"][k])
            failures = known if sent and known != UNPLAYED else None
            yield Proposal(k, leader, team, votes, sent, failures)
            leader = (leader + 1) % table.players


def leader_of(table: Table, view: Any) -> int:
    """Who leads now, or led the team that plays."""
    passed = 1 if view["phase"] in (PLAYING, ENDED) else 0
    return (int(view["leader"]) - passed) % table.players


def role(view: Any, player: int, viewer: int) -> str:
    """What a view shows of a player's role."""
    if view["phase"] == DEALING:
        return ""
    if view["spies"]:
        return SPY if int(view["spies"]) >> player & 1 else LOYAL
    return LOYAL if player == viewer else UNKNOWN


def won_by(table: Table, view: Any, mission: int) -> str:
    """Whose a mission is: SPY, LOYAL, or nobody's yet."""
    failures = int(view["failures"][mission])
    if failures == UNPLAYED:
        return ""
    return SPY if failures >= table.needed[mission] else LOYAL


def status(table: Table, view: Any, viewer: int) -> str:
    """What is to be done now, in words."""
    phase, actor = int(view["phase"]), int(view["actor"])
    if phase == DEALING:
        return "the roles are dealt"
    if phase == ENDED:
        spies = view["won"] == TO_WIN or view["attempt"] == ATTEMPTS
        return f"the game is over, the {'spies' if spies else 'resistance'} won"
    if phase == PROPOSING:
        size = count(table.sizes[view["round"]], "player")
        who = "you propose" if actor == viewer else f"player {actor} proposes"
        return f"{who} a team of {size}"
    team = f"the team {names(int(view['team']))}"
    return f"all vote on {team}" if phase == VOTING else f"{team} plays its cards"


def _chosen(view: Any, viewer: int) -> str:
    """The viewer's own choice that waits for the others."""
    if viewer < 0 or not int(view["cast"]) >> viewer & 1:
        return ""
    move = int(view["chosen"]) >> viewer & 1
    return "chose " + MOVE_NAMES[move + (2 if view["phase"] == PLAYING else 0)]


def _seats(table: Table, view: Any, viewer: int) -> list[str]:
    rows = []
    for player in range(table.players):
        leads = "leader" if player == leader_of(table, view) and view["phase"] != ENDED else ""
        goes = "on the team" if int(view["team"]) >> player & 1 else ""
        own = _chosen(view, viewer) if player == viewer else ""
        rows.append(
            (seat_name(player, viewer), role(view, player, viewer), leads, goes, own),
        )
    return columns(rows)


def _outcome(table: Table, proposal: Proposal) -> str:
    if not proposal.sent:
        return "rejected"
    if proposal.failures is None:
        return "sent"
    spies = proposal.failures >= table.needed[proposal.round]
    return f"{count(proposal.failures, 'failure')}: {'spies' if spies else 'resistance'}"


def _history(table: Table, view: Any) -> list[str]:
    rows, before = [], -1
    everyone = (1 << table.players) - 1
    for proposal in proposals(table, view):
        label = f"mission {proposal.round + 1}" if proposal.round != before else ""
        before = proposal.round
        rows.append(
            (
                label,
                f"player {proposal.leader}: team {names(proposal.team)}",
                f"for {names(proposal.votes) or '-'}",
                f"against {names(everyone & ~proposal.votes) or '-'}",
                _outcome(table, proposal),
            )
        )
    return columns(rows) if rows else []


def view_text(table: Table, view: Any, viewer: int) -> str:
    """A view for the terminal."""
    won = int(view["won"])
    score = f"spies {won}, resistance {int(view['round']) - won}"
    head = f"The Resistance ({score}): {status(table, view, viewer)}"
    rows = [*_seats(table, view, viewer), *_history(table, view)]
    return "\n".join([head, *_mission(table, view), *rows])


def _mission(table: Table, view: Any) -> list[str]:
    """What the mission asks for that is to be filled now."""
    if view["phase"] == ENDED:
        return []
    mission = int(view["round"])
    asked = f"{table.sizes[mission]} go"
    if table.needed[mission] > 1:
        asked += f", {table.needed[mission]} failures needed"
    rejected = f"{int(view['attempt'])} of {ATTEMPTS} teams rejected"
    return [
        f"  mission {mission + 1} of {rules.MISSIONS}: {asked}; {rejected}; {table.spies} spies"
    ]


def move_text(table: Table, move: int) -> str:
    """A move as people write it."""
    if move < TEAM:
        return MOVE_NAMES[move]
    if move < table.deal:
        return f"team {names(move - TEAM)}".rstrip()
    return f"spies {names(table.configs[move - table.deal])}"


def observation_text(table: Table, token: int) -> str:
    """What a token of `sees` tells."""
    if token == 0:
        return "nothing"
    if token >= rules.PLAYED:
        failures, own = divmod(token - rules.PLAYED, 3)
        told = f"the cards are turned: {count(failures, 'failure')}"
        return told + (f" (you chose {MOVE_NAMES[FAIL - 2 + own]})" if own else "")
    if token >= rules.VOTED:
        return _votes_text(table, token - rules.VOTED)
    if token >= rules.PROPOSED:
        leader, move = divmod(token - rules.PROPOSED, 2 * MASKS)
        return f"player {leader} proposes {move_text(table, move)}"
    if token == rules.ROLES_DEALT:
        return "the roles are dealt"
    if token == rules.NOT_A_SPY:
        return "you are not a spy"
    move = token - 1
    if move < TEAM:
        return f"you choose {MOVE_NAMES[move]}"
    return f"you are a spy: the spies are {listed(table.configs[move - table.deal])}"


def _votes_text(table: Table, votes: int) -> str:
    against = (1 << table.players) - 1 & ~votes
    verdict = "sent" if 2 * votes.bit_count() > table.players else "rejected"
    return f"the team is {verdict}: for {names(votes) or '-'}, against {names(against) or '-'}"


def hidden_text(world: Any, viewer: int) -> str:
    """Who the spies are, for one who is none."""
    spies = int(world["spies"])
    if spies == 0 or (viewer >= 0 and spies >> viewer & 1):
        return ""
    return f"spies: {listed(spies)}"


def hidden_facts(table: Table, world: Any, viewer: int) -> list[str]:
    """The pair of spies; where there are more of them, each by himself."""
    told = hidden_text(world, viewer)
    if not told or table.spies == 2:
        return [told] if told else []
    return [f"player {player} is a spy" for player in members(int(world["spies"]))]
