"""A game of a match as its plan has it: the agents are made, the deal is drawn, it is played."""

from __future__ import annotations

from functools import partial

from facedown.agents.base import Agent
from facedown.agents.registry import make_agent
from facedown.arena.apart.seat import ApartAgent, Cells, Isolation
from facedown.arena.game import Header, play_game
from facedown.arena.guarded import Maker
from facedown.arena.plan import Plan
from facedown.core import Game, derive
from facedown.store.records import GameRecord


def play_planned(plan: Plan, game: Game, number: int) -> GameRecord:
    """Play one game of a match; `game` is the one that the plan names.

    >>> from facedown.games.registry import load_game
    >>> plan = Plan("kuhn", (("random", 2),), games=10, seed=1)
    >>> play_planned(plan, load_game("kuhn"), 7).rotation
    1
    """
    turned, deal, clock = number % plan.cycle, number // plan.repeats, plan.clock
    specs = [plan.entries[entry][0] for entry in plan.who(number)]
    makers = [
        maker(spec, derive(plan.seed, "agent", number, player), plan.isolation, clock)
        for player, spec in enumerate(specs)
    ]
    rotation, first = (0, turned) if plan.seating else (turned, None)
    header = Header(tuple(specs), plan.seed, number, deal, rotation)
    deal_seed = derive(plan.seed, "deal", deal)
    return play_game(game, makers, deal_seed, clock=clock, header=header, first=first)


def maker(spec: str, seed: int, isolation: Isolation, clock: float | None = None) -> Maker:
    """What makes an agent by its spec, in a process of its own where it is to play apart."""
    if isolation.apart(spec):
        return partial(_apart, spec, seed, isolation.cells, clock)
    return partial(_make, spec, seed)


def _make(spec: str, seed: int, game: Game, player: int) -> Agent:
    return make_agent(spec, game, player, seed)


def _apart(
    spec: str, seed: int, cells: Cells, clock: float | None, game: Game, player: int
) -> ApartAgent:
    return ApartAgent(game, player, seed, spec, cells, clock=clock)
