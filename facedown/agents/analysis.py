"""A position explained: what a search finds in it, what can be hidden in it."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace

from facedown.agents.base import Agent
from facedown.agents.many_tree import ManyTree
from facedown.agents.registry import make_agent
from facedown.agents.thinking import Thinker
from facedown.belief.hyperplay import Bag
from facedown.core import NOTHING, PUBLIC, Game, Position, SpecError, Stream, derive
from facedown.search.report import Report

SAMPLES = 2000
"""Worlds that are drawn for a belief unless told otherwise."""


def analyse(
    view: Position,
    agent: str = "so-ismcts",
    *,
    player: int | None = None,
    legal: Sequence[int] | None = None,
    observed: Sequence[int] | None = None,
    seed: int = 0,
) -> Report:
    """Search a view with an agent's recipe and budget; the report of what was found.

    The searcher is `player`, the one to move unless told otherwise, and `legal` are their moves.
    An agent that cheats wants the true position in place of a view. One that remembers (`oos`,
    or any that draws worlds where the game has no rule for it) wants `observed`, the tokens of all
    that the player has seen, in order.

    >>> from facedown.games.registry import load_game
    >>> kuhn = load_game("kuhn")
    >>> truth = kuhn.start()
    >>> for move in ("deal K", "deal J", "pass", "bet"):
    ...     truth.apply(kuhn.parse_move(move, truth.legal()))
    >>> report = analyse(truth.view(0), "so-ismcts:iterations=2000")
    >>> report.best().text, round(report.best().mean, 1)
    ('bet', 2.0)
    """
    player = view.turn() if player is None else player
    made = make_agent(agent, view.game, player, seed)
    if made.remembers and observed is None:
        raise SpecError(f"{agent} decides by what its player has seen: `observed` is wanted")
    for token in observed or ():
        made.observe(token, view.game.text.observation_text(token, player))
    return report_of(made, agent, view, list(view.legal() if legal is None else legal))


def report_of(made: Agent, spec: str, view: Position, legal: Sequence[int]) -> Report:
    """Have an agent choose in its player's view; the report of its search, and what it chose."""
    if not isinstance(made, Thinker):
        raise SpecError(f"{spec} does not search, so it has nothing to report")
    chosen = made.choose(view, legal)
    if made.search is None:
        raise SpecError(f"{spec} found no world to search; a larger `limit` may help")
    return replace(made.search.report(), chosen=chosen)


def infers(agent: Agent) -> bool:
    """Whether an agent carries a belief along, from decision to decision."""
    return isinstance(agent, ManyTree) and agent.inference == "particle"


def inferred(agent: Agent, view: Position) -> list[tuple[str, float]]:
    """What an agent that infers believes about what its player, whose view this is, cannot see.

    In words, most likely first, what is impossible left out; empty where it infers nothing.
    """
    if not isinstance(agent, ManyTree) or agent.believed is None:
        return []
    found: dict[str, float] = defaultdict(float)
    for k in agent.believed.shares.nonzero()[0].tolist():
        world = view.copy()
        if world.world(agent.player, k) > 0:
            found[world.hidden_text(agent.player)] += float(agent.believed.shares[k])
    return _ranked(found)


def beliefs(
    view: Position,
    player: int,
    *,
    samples: int = SAMPLES,
    observed: Sequence[int] | None = None,
    seed: int = 0,
) -> list[tuple[str, float]]:
    """What `player`, whose view this is, cannot see, in words, with how likely it is.

    Worlds are drawn as a search draws them: chance by its weights, the moves of others as if any
    were as likely; where the game cannot, they are models of a HyperPlay bag, a tenth as many, if
    `observed` says what the player has seen. Most likely first; empty where there are no worlds or
    no words for them.

    >>> from facedown.games.registry import load_game
    >>> kuhn = load_game("kuhn")
    >>> truth = kuhn.start()
    >>> for move in ("deal K", "deal J"):
    ...     truth.apply(kuhn.parse_move(move, truth.legal()))
    >>> sorted(text for text, share in beliefs(truth.view(0), 0))
    ['player 1 holds J', 'player 1 holds Q']
    """
    if not view.game.has("determinize"):
        return [] if observed is None else _modelled(view.game, player, samples, observed, seed)
    stream, found = Stream(derive(seed, "beliefs")), Counter[str]()
    for _ in range(samples):
        world = view.copy()
        world.determinize(player, stream)
        found[world.hidden_text(player)] += 1
    return _ranked(found)


def _modelled(
    game: Game, player: int, samples: int, observed: Sequence[int], seed: int
) -> list[tuple[str, float]]:
    """The beliefs of a HyperPlay bag."""
    bag, found = Bag(game, player, max(samples // 10, 1), seed), defaultdict[str, float](float)
    for token in observed:
        bag.observe(token)
    pool = bag.worlds()
    for k, weight in enumerate(pool.weights.tolist()):
        found[pool.position(k).hidden_text(player)] += weight
    return _ranked(found)


def retell(agent: Agent, moves: Sequence[str]) -> Position:
    """Play moves by their names from the start of the agent's game; the position they lead to.

    The agent is told what its player sees of each, and what the public does, and is asked wherever
    it would have been, whatever was played there: so it comes to believe what it would believe.

    >>> from facedown.games.registry import load_game
    >>> agent = make_agent("mt-ismcts:iterations=500", load_game("kuhn"), 0, seed=1)
    >>> truth = retell(agent, ("deal Q", "deal K", "pass", "bet"))
    >>> sorted(text for text, share in inferred(agent, truth.view(0)))
    ['player 1 holds J', 'player 1 holds K']
    """
    truth, player = agent.game.start(), agent.player
    for text in moves:
        legal = truth.legal()
        if truth.turn() == player:
            agent.choose(truth.view(player), legal)
        move = agent.game.parse_move(text, legal)
        token, public = truth.sees(move, player), truth.sees(move, PUBLIC)
        truth.apply(move)
        if token != NOTHING:
            agent.observe(token, agent.game.text.observation_text(token, player))
        if public != NOTHING:
            agent.overhear(public)
    return truth


def _ranked(found: Mapping[str, float]) -> list[tuple[str, float]]:
    """Shares of what was found, the largest first; nothing where there are no words for it."""
    if not any(found):
        return []
    ranked = sorted(found.items(), key=lambda pair: (-pair[1], pair[0]))
    return [(text, share / sum(found.values())) for text, share in ranked]
