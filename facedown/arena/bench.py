"""How fast an agent searches a game on this machine."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from facedown.agents.registry import check_agent, make_agent
from facedown.agents.thinking import Searcher
from facedown.arena.factions import by_side
from facedown.arena.plan import seats_of
from facedown.core import CHANCE, Game, Position, RuleError, SpecError, Stream, derive
from facedown.games.registry import load_game
from facedown.search.budget import Budget
from facedown.search.search import Search

SECONDS = 1.0
"""How long a search is timed when its spec has no budget."""

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
        position.apply(move)
    raise RuleError(f"{game.spec} has no decision after the deal", seed=seed)


def warm_up(game_spec: str, agent_specs: Sequence[str]) -> None:
    """Have compiled and cached what this game and these agents need; nothing is played.

    >>> warm_up("kuhn", ["so-ismcts", "random"])
    """
    game = load_game(game_spec)
    given = by_side(agent_specs, game)
    for spec, _ in map(seats_of, agent_specs if given is None else given):
        check_agent(spec, game)


def bench(
    game_spec: str, agent_spec: str = "so-ismcts", *, seed: int = 1, seconds: float | None = None
) -> Bench:
    """Time the search of an agent from the first decision of a game.

    It runs for the budget of the spec, or for `seconds` (1 unless told otherwise) where either the
    spec has none or `seconds` is given. What must be compiled is compiled before.

    >>> bench("kuhn", "so-ismcts:iterations=1000").iterations
    1000
    """
    game = load_game(game_spec)
    truth, seen = _deal(game, seed)
    agent = make_agent(agent_spec, game, truth.turn(), seed)
    if not isinstance(agent, Searcher):
        raise SpecError(f"{agent_spec} does not search; bench wants an agent that does")
    given = agent.iterations is not None or agent.seconds is not None
    budget = agent.budget if given and seconds is None else Budget(seconds=seconds or SECONDS)
    for token in seen[agent.player]:
        agent.observe(token, game.text.observation_text(token, agent.player))
    root = truth if agent.cheats else truth.view(agent.player)
    _start(agent, root).run(_WARM_UP)
    report = _start(agent, root).run(budget).report()
    agent.recipe = replace(agent.recipe, playout=replace(agent.recipe.playout, depth=1))
    flat = _start(agent, root).run(budget).report()
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
    return agent.start_search(root, root.legal())
