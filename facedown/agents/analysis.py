"""A position explained: what a search finds in it, what can be hidden in it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from facedown.agents.base import Agent
from facedown.agents.registry import make_agent, spec_of
from facedown.agents.thinking import Thinker
from facedown.belief.belief import Belief, Marginals, Wanted
from facedown.belief.hyperplay import LIMIT
from facedown.belief.sources import Means, make_belief
from facedown.core import NOTHING, PUBLIC, Memos, Position, SpecError, Stream, derive
from facedown.search.recipe import Recipe
from facedown.search.report import Report
from facedown.search.search import Search
from facedown.search.tree import tree_of

SAMPLES = 2000
"""Worlds that are drawn for a belief unless told otherwise."""


def analyse(
    view: Position,
    agent: str | type[Agent] | Agent = "so-ismcts",
    *,
    player: int | None = None,
    legal: Sequence[int] | None = None,
    observed: Sequence[int] | None = None,
    seed: int = 0,
) -> Report:
    """Search a view with an agent's recipe and budget; the report of what was found.

    The agent is given by its spec, as a class, or as an object that was told all it may know.

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
    if isinstance(agent, Agent):
        made, named, player = agent, type(agent).__name__, agent.player
    else:
        player, named = view.turn() if player is None else player, spec_of(agent)
        made = make_agent(named, view.game, player, seed)
        if made.remembers and observed is None:
            raise SpecError(f"{named} decides by what its player has seen: `observed` is wanted")
    for token in observed or ():
        made.observe(token, view.game.text.observation_text(token, player))
    return report_of(made, named, view, list(view.choices() if legal is None else legal))


def report_of(made: Agent, spec: str, view: Position, legal: Sequence[int]) -> Report:
    """Have an agent choose in its player's view; the report of its search, and what it chose."""
    if not isinstance(made, Thinker):
        raise SpecError(f"{spec} does not search, so it has nothing to report")
    chosen = made.choose(view, legal)
    if made.search is None:
        raise SpecError(f"{spec} found no world to search; a larger `limit` may help")
    if not isinstance(made.search, Search):
        return replace(made.report(), chosen=chosen)
    walk = partial(tree_of, made.search)
    return replace(made.report(), line=made.search.line(), chosen=chosen, walk=walk)


def infers(agent: Agent) -> bool:
    """Whether an agent's belief learns from its searches, so that it must be asked all along."""
    belief = belief_of(agent)
    return belief is not None and belief.learns


def believes(agent: Agent) -> bool:
    """Whether an agent's belief keeps what it was told, so that it has more to say than a view."""
    belief = belief_of(agent)
    return belief is not None and belief.remembers


def inferred(agent: Agent, view: Position) -> Marginals:
    """What an agent believes about what its player, whose view this is, cannot see.

    In words, most likely first, what is impossible left out; empty for agents whose belief keeps
    nothing of what they were told.
    """
    belief = belief_of(agent)
    if belief is None or not belief.remembers:
        return []
    memos = getattr(agent, "memos", None)
    return belief.marginals(view, Wanted(Stream(agent.seed), SAMPLES, memos=memos))


def belief_of(agent: Agent) -> Belief | None:
    """What an agent believes itself; None for one that believes nothing."""
    kept: dict[int, Belief] = getattr(agent, "beliefs", {})
    return kept.get(agent.player)


def beliefs(
    view: Position,
    player: int,
    *,
    samples: int = SAMPLES,
    observed: Sequence[int] | None = None,
    seed: int = 0,
) -> Marginals:
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
    means = Means(models=max(samples // 10, 1), limit=LIMIT)
    belief = make_belief(view.game, Recipe.belief, player, seed, means)
    memos = Memos(view.game, player)
    if (belief.remembers or view.game.has("remember")) and observed is None:
        return []
    for token in observed or ():
        belief.observe(token)
        memos.observe(token)
    wanted = Wanted(Stream(derive(seed, "beliefs")), samples, memos=memos)
    return belief.marginals(view, wanted)


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
        if truth.turn() == player:
            agent.choose(*truth.offer(player))
        move = agent.game.parse_move(text, truth.legal())
        token, public = truth.sees(move, player), truth.sees(move, PUBLIC)
        truth.play(move)
        if token != NOTHING:
            agent.observe(token, agent.game.text.observation_text(token, player))
        if public != NOTHING:
            agent.overhear(public)
    return truth
