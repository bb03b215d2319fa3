"""What the tests of the agents share: games by name, and one seat of a match played by an agent."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from facedown.agents.base import Agent
from facedown.agents.registry import AGENTS, agent_class, make_agent
from facedown.belief.listed import ListedBelief
from facedown.core import CHANCE, PUBLIC, Game, Position, Stream
from facedown.games.registry import load_game
from support import EXAMPLES, SUPPORT
from support.playing import REGISTERED as REGISTERED

FUSION, PENNIES = (f"{SUPPORT / 'tiny.py'}:{name}" for name in ("StrategyFusion", "Pennies"))
MOLES = f"{SUPPORT / 'hidden_roles.py'}:Moles"
PLAIN = [f"{EXAMPLES / name}" for name in ("kuhn.py:Kuhn", "leduc.py:Leduc")]


@cache
def game(spec: str) -> Game:
    """A game, loaded once."""
    return load_game(spec)


def after(spec: str, *moves: str) -> Position:
    """The position after the moves, given as text; each must be legal."""
    position = game(spec).start()
    for move in moves:
        position.apply(position.game.parse_move(move, position.legal()))
    return position


def short(name: str, iterations: int = 100) -> str:
    """The spec of a registered agent that does not think for long."""
    searches = hasattr(agent_class(name, game("kuhn")), "iterations")
    bag = ",models=20,limit=1000" if name.startswith("hyperplay") else ""
    if name in NESTED:
        bag += ",nested=2"
    return f"{name}:iterations={iterations}{bag}" if searches else name


NESTED = ("hyperplay-ii", "hyperplay-ii-shared")
"""They play whole games to evaluate a move: in a long one that takes its time."""

# It stands for one of the others; they need a rule `secret`, features, simulated people, kinds; a
# process of its own; The Resistance.
POMCP = ("pomcp", "pomcp-ts", "pomcp-cr", "pomcp-ts-cr", "pomcp-nn", "pomcp-mo")
ELSEWHERE = ("best", "mga", "sdmcts", "pmga", "fpmga", "person", "program", "stranger", *POMCP)
SEMI = ("mga", "pmga")
EVERYWHERE = [name for name in AGENTS if name not in ELSEWHERE]
HONEST = [name for name in EVERYWHERE if not agent_class(name, game("kuhn")).cheats]
SEARCHING = [name for name in EVERYWHERE if ":" in short(name)]
RECIPES = [name for name in SEARCHING if name not in (*NESTED, "general")]


def shown(agent: Agent, truth: Position, player: int) -> Position:
    """What an agent is handed of a position."""
    return truth.copy() if agent.cheats else truth.view(player)


def plain_report(agent: Agent) -> Any:
    """The last search's report without its seconds; None for agents that do not search."""
    search = getattr(agent, "search", None)
    if search is None:
        return agent.summary()
    return {name: value for name, value in vars(search.report()).items() if name != "seconds"}


def beliefs(agent: Agent) -> list[Any]:
    """What an agent that carries beliefs along holds now; empty for others."""
    kept = getattr(agent, "beliefs", {}).values()
    return [belief.shares.tolist() for belief in kept if isinstance(belief, ListedBelief)]


UNEVEN = ("spoil", "fail")
"""Moves that only some can make: the others avoid them, for they would tell the deals apart."""


@dataclass
class Seat:
    """All that a player was shown in a game, and what its agent made of it."""

    views: list[bytes] = field(default_factory=list)
    tokens: list[tuple[int, str]] = field(default_factory=list)
    moves: list[str] = field(default_factory=list)
    reports: list[Any] = field(default_factory=list)
    beliefs: list[Any] = field(default_factory=list)
    payoff: float = 0.0


def play(
    spec: str, agent_spec: str, player: int, deals: Sequence[str], seed: int, plays: int = 1
) -> Seat:
    """A game in which chance deals as told and the others play by a stream that sees no cards."""
    seat, others = Seat(), Stream(plays)
    g, dealt = game(spec), iter(deals)
    truth, agent = g.start(), make_agent(agent_spec, g, player, seed)
    while not truth.over:
        turn, legal = truth.turn(), truth.legal()
        if turn == CHANCE:
            move = g.parse_move(next(dealt), legal)
        elif turn != player:
            move = others.choice([m for m in legal if g.move_text(m) not in UNEVEN])
        else:
            view = shown(agent, truth, player)
            seat.views.append(view.digest())
            move = agent.choose(view, legal)
            seat.moves.append(g.move_text(move))
            seat.reports.append(plain_report(agent))
        if token := truth.sees(move, player):
            text = g.text.observation_text(token, player)
            seat.tokens.append((token, text))
            agent.observe(token, text)
        if public := truth.sees(move, PUBLIC):
            agent.overhear(public)
        seat.beliefs.append(beliefs(agent))
        truth.apply(move)
    seat.payoff = truth.payoff()[player]
    return seat
