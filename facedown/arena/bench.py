"""How fast an agent searches a game on this machine."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager
from dataclasses import asdict, dataclass, replace
from typing import Any

from facedown.agents.registry import check_agent, make_agent
from facedown.agents.thinking import Searcher
from facedown.arena.apart.seat import Isolation
from facedown.arena.plan import seats_of
from facedown.arena.sides import by_side
from facedown.core import CHANCE, Game, Position, RuleError, SpecError, Stream, derive
from facedown.core.clocks import own_time
from facedown.games.registry import load_game
from facedown.search.budget import Budget
from facedown.search.report import Report
from facedown.search.search import Search

SECONDS = 1.0
"""How long a search is timed when its spec has no budget."""

STEPS = (20_000, 1_000_000)
"""Iterations of the decisions by which `bench_steps` shows how speed and memory change."""

_LONGEST = 20.0  # seconds for one of these
_WARM_UP = Budget(iterations=100)


@dataclass(frozen=True)
class Bench:
    """The speed of one search.

    An iteration is one pass through the tree with its playout. `playouts_per_second` is the speed
    of the same search when its tree is no deeper than the first decision, so that nearly all of it
    is random play: the speed of the rules themselves. `nodes` and `bytes` are those of the tree.
    """

    game: str
    agent: str
    iterations_per_second: float
    playouts_per_second: float
    iterations: int
    nodes: int
    bytes: int
    seconds: float

    def to_json(self) -> dict[str, Any]:
        """The bench as plain JSON."""
        return asdict(self)


def first_decision(game: Game, seed: int) -> Position:
    """The position after the deal of `seed`, where a player first has something to decide.

    >>> first_decision(load_game("kuhn"), seed=1).turn()
    0
    """
    return _deal(game, seed)[0]


def _deal(game: Game, seed: int) -> tuple[Position, list[list[int]]]:
    """The first decision after the deal of `seed`, and what each player has seen until then."""
    position, stream = game.start(), Stream(derive(seed, "deal"))
    seen: list[list[int]] = [[] for _ in range(game.players)]
    for _ in range(game.most_plies):
        if position.over:
            break
        if position.turn() != CHANCE:
            return position, seen
        move = position.draw(stream)
        for player, tokens in enumerate(seen):
            if token := position.sees(move, player):
                tokens.append(token)
        position.play(move)
    raise RuleError(f"{game.spec} has no decision after the deal", seed=seed)


def warm_up(game_spec: str, agent_specs: Sequence[str]) -> None:
    """Have compiled and cached what this game and these agents need; nothing is played.

    >>> warm_up("kuhn", ["so-ismcts", "random"])
    """
    game = load_game(game_spec)
    given = by_side(agent_specs, game)
    for spec, _ in map(seats_of, agent_specs if given is None else given):
        if not Isolation().apart(spec):  # what plays apart gets ready there
            check_agent(spec, game)
            make_agent(spec, game, 0, seed=0)


def bench(
    game_spec: str, agent_spec: str = "so-ismcts", *, seed: int = 1, seconds: float | None = None
) -> Bench:
    """Time the search of an agent from the first decision of a game.

    It runs for the budget of the spec, or for `seconds` (1 unless told otherwise) where either the
    spec has none or `seconds` is given; seconds are processor time. What must be compiled is
    compiled before.

    >>> bench("kuhn", "so-ismcts:iterations=1000").iterations
    1000
    """
    agent, root = _seated(game_spec, agent_spec, seed)
    budget = (
        agent.budget if _bounded(agent) and seconds is None else Budget(seconds=seconds or SECONDS)
    )
    with _timed(agent):
        report = _start(agent, root).run(budget).report()
        return _bench(game_spec, agent_spec, report, _flat(agent, root, budget))


def bench_steps(game_spec: str, agent_spec: str, *, seed: int = 1) -> list[Bench]:
    """The same for decisions of 20,000 and of 1,000,000 iterations: the larger a tree, the slower.

    The short one is made again and again for a second, the long one ends after 20. A spec with a
    budget of its own is timed by that alone.
    """
    agent, root = _seated(game_spec, agent_spec, seed)
    if _bounded(agent):
        return [bench(game_spec, agent_spec, seed=seed)]
    short, long = (Budget(iterations, _LONGEST) for iterations in STEPS)
    reports, used = list[Report](), 0.0
    with _timed(agent):
        while used < SECONDS:
            reports.append(_start(agent, root).run(short).report())
            used += reports[-1].seconds
        first = replace(reports[-1], seconds=used / len(reports))
        last = _start(agent, root).run(long).report()
        flat = _flat(agent, root, Budget(seconds=SECONDS))
    return [_bench(game_spec, agent_spec, report, flat) for report in (first, last)]


def _seated(game_spec: str, agent_spec: str, seed: int) -> tuple[Searcher, Position]:
    """The agent at the first decision, warm, and what it may look at."""
    game = load_game(game_spec)
    truth, seen = _deal(game, seed)
    agent = make_agent(agent_spec, game, truth.turn(), seed)
    if not isinstance(agent, Searcher):
        raise SpecError(f"{agent_spec} does not search; bench wants an agent that does")
    for token in seen[agent.player]:
        agent.observe(token, game.text.observation_text(token, agent.player))
    root = truth if agent.cheats else truth.view(agent.player)
    _start(agent, root).run(_WARM_UP)
    return agent, root


def _timed(agent: Searcher) -> AbstractContextManager[None]:
    """Seconds are the processor's, of the thread that searches; of several threads the wall's."""
    return own_time(getattr(agent, "threads", 1) == 1)


def _bounded(agent: Searcher) -> bool:
    """Whether the agent's spec says how long it thinks."""
    return agent.iterations is not None or agent.time_limit is not None


def _flat(agent: Searcher, root: Position, budget: Budget) -> Report:
    """The same search with no tree below the first decision."""
    recipe = agent.recipe
    agent.recipe = replace(recipe, playout=replace(recipe.playout, depth=1))
    try:
        return _start(agent, root).run(budget).report()
    finally:
        agent.recipe = recipe


def _bench(game_spec: str, agent_spec: str, report: Report, flat: Report) -> Bench:
    return Bench(
        game=game_spec,
        agent=agent_spec,
        iterations_per_second=report.iterations_per_second,
        playouts_per_second=flat.iterations_per_second,
        iterations=report.iterations,
        nodes=report.nodes,
        bytes=report.bytes,
        seconds=report.seconds,
    )


def _start(agent: Searcher, root: Position) -> Search:
    return agent.start_search(root, root.choices())
