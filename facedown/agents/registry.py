"""The agents by name."""

from __future__ import annotations

import importlib
import inspect
from dataclasses import dataclass, replace
from typing import Any

from facedown.agents.base import Agent, ScriptedAgent
from facedown.agents.options import constructed, given_options, settings_of
from facedown.core import Game, SpecError
from facedown.core.game import Script
from facedown.core.specs import Spec, load_class, parse
from facedown.games.registry import given_name
from facedown.installed import installed


@dataclass(frozen=True)
class Entry:
    """Where a registered agent is, and what it does in a few words."""

    module: str
    maker: str
    summary: str


_BASE, _SEARCH = "facedown.agents.base", "facedown.agents.searching"
_OUTCOME, _SEMI = "facedown.agents.outcome", "facedown.agents.semi"
_MODEL, _HYPERPLAY = "facedown.agents.predictive", "facedown.agents.hyperplay"
_POMCP = "facedown.agents.pomcp"
AGENTS: dict[str, Entry] = {
    "random": Entry(_BASE, "RandomAgent", "any legal move"),
    "scripted": Entry(_BASE, "ScriptedAgent", "the game's own rules of thumb"),
    "flat-mc": Entry(_SEARCH, "FlatMonteCarlo", "random play after each move, no tree"),
    "cheating-uct": Entry(_SEARCH, "CheatingUCT", "UCT that sees everything: a benchmark"),
    "determinized-uct": Entry(_SEARCH, "DeterminizedUCT", "UCT on sampled worlds, visits summed"),
    "so-ismcts": Entry(_SEARCH, "SingleObserver", "one tree of the searcher's observations"),
    "mo-ismcts": Entry(_SEARCH, "MultiObserver", "a tree of each player's observations"),
    "mt-ismcts": Entry(
        "facedown.agents.many_tree",
        "ManyTree",
        "a tree for all that each may hold: infers, bluffs",
    ),
    "smooth-uct": Entry(_SEARCH, "SmoothUCT", "UCT mixed with its own average strategy"),
    "hyperplay": Entry(_HYPERPLAY, "HyperPlayer", "random games from histories that fit"),
    "hyperplay-ii": Entry(_HYPERPLAY, "HyperPlayerII", "games between nested hyperplay players"),
    "hyperplay-ii-shared": Entry(
        _HYPERPLAY, "SharedPlayerII", "the same at a small part of the cost"
    ),
    "general": Entry(
        "facedown.agents.general",
        "General",
        "HyperPlay-II where it pays to know, else ISMCTS",
    ),
    "oos": Entry(_OUTCOME, "OutcomeSampling", "regrets from sampled games, aimed at what it knows"),
    "mga": Entry(_SEMI, "SemiDeterminized", "SDMCTS, even odds for what the last action hid"),
    "sdmcts": Entry(_MODEL, "Predictive", "SDMCTS, odds by a trained model: predictor=FILE"),
    "pmga": Entry(_MODEL, "Shipped", "SDMCTS, odds by the model that comes with the game"),
    "fpmga": Entry(_SEMI, "Peeking", "SDMCTS that peeks at it, right now and then: a benchmark"),
    "pomcp": Entry(_POMCP, "Pomcp", "PUCT on what the searcher has proven, typed playouts"),
    "pomcp-ts": Entry(_POMCP, "TypeSelection", "the same, priors by preferences among kinds"),
    "pomcp-cr": Entry(_POMCP, "ConditionedRollouts", "the first, playouts by preferences"),
    "pomcp-ts-cr": Entry(_POMCP, "SelectionAndRollouts", "priors and playouts by preferences"),
    "pomcp-mo": Entry(_POMCP, "ObserversEach", "the same, nodes by what each player knows"),
    "pomcp-nn": Entry(_POMCP, "NetworkSelection", "the first, priors by a network over moves"),
    "person": Entry(
        "facedown.agents.person", "SimulatedPerson", "a simulated person, as the game has them"
    ),
    "stranger": Entry(
        "facedown.strangers.agent", "Stranger", "a player of The Resistance of a drawn family"
    ),
    "program": Entry(
        "facedown.agents.program", "Program", "a program in any language: program:COMMAND"
    ),
    "best": Entry("", "", "the strongest recipe that is known for the game"),
}


GIVEN: dict[str, type[Any]] = {}
"""Classes that were handed over from Python, by their names, in this process alone."""

USUAL = "so-ismcts"
"""What `best` stands for in a game that names nothing better."""

GROUP = "facedown.agents"
"""The entry points by which distributions of others offer their agents."""


def spec_of(agent: Any) -> str:
    """The spec of an agent that is given as one or as a class."""
    if isinstance(agent, str):
        return agent
    if not isinstance(agent, type):
        what = "a class is wanted, for every game has its own agents"
        raise SpecError(f"an object of {type(agent).__name__} cannot play a match: {what}")
    return given_name(agent, GIVEN, AGENTS)


def entries(game: Game | None) -> dict[str, str]:
    """The agents by name with what they do.

    Those of every game, those that others have installed, then the game's own scripts.
    """
    scripts = {} if game is None else getattr(game.definition, "scripts", {})
    own = {name: _summary(play) for name, play in scripts.items()}
    everywhere = {name: entry.summary for name, entry in AGENTS.items()}
    theirs = {name: one.summary for name, one in installed(GROUP).items()}
    return everywhere | {
        name: words for name, words in {**theirs, **own}.items() if name not in AGENTS
    }


def _summary(script: Script) -> str:
    """The first line of a script's docstring, as the summary of an agent."""
    line = (inspect.getdoc(script) or "a player of the game's own").splitlines()[0]
    return line[:1].lower() + line[1:].rstrip(".")


def resolve(spec_text: str, game: Game) -> Spec:
    """A spec, parsed; for `best` the spec that the game names, with the further options.

    A game that names none is played by USUAL.

    >>> from facedown.games.registry import load_game
    >>> resolve("best:c=1", load_game("cribbage")).options["c"]
    '1'
    """
    spec = parse(spec_text)
    if spec.file is not None or spec.name != "best":
        return spec
    named = parse(game.best or USUAL)
    return replace(named, text=spec_text, options={**named.options, **spec.options})


def agent_class(spec_text: str, game: Game) -> type[Agent]:
    """The class that a spec names; SpecError lists what there is."""
    spec = resolve(spec_text, game)
    if spec.file is not None or spec.name in GIVEN:
        return _agent(spec, load_class(spec) if spec.file is not None else GIVEN[spec.name])
    known = entries(game)
    if spec.name in known and spec.name not in {*AGENTS, *game.scripts}:
        return _agent(spec, installed(GROUP)[spec.name].load("agent"))
    if spec.name not in known:
        names = ", ".join(known)
        raise SpecError(f"no agent {spec.name!r}; agents: {names}, or path/to/file.py:ClassName")
    if spec.name not in AGENTS:
        return type(spec.name, (ScriptedAgent,), {"script": spec.name})
    entry = AGENTS[spec.name]
    found: type[Agent] = getattr(importlib.import_module(entry.module), entry.maker)
    return found


def _agent(spec: Spec, found: type[Any]) -> type[Agent]:
    """A class of somebody's, if it is an agent's."""
    if not callable(getattr(found, "choose", None)):
        wanted = "a class with a method `choose(view, legal)` is wanted, as facedown.Agent has it"
        raise SpecError(f"{spec.name} is no agent: {wanted}")
    return found


def check_agent(spec_text: str, game: Game) -> None:
    """Find what is wrong with a spec before anything is played; SpecError says what.

    Nothing is compiled, loaded or believed for it. Of a user's own class the options are checked
    only: nobody knows what else making one does.
    """
    spec = resolve(spec_text, game)
    given_options(agent_class(spec_text, game), spec, game)
    if spec.file is None:
        _constructed(spec_text, game, 0, seed=0).require()


def make_agent(agent: str | type[Any], game: Game, player: int, seed: int) -> Agent:
    """The agent that a spec names, or of a class, ready to play `player` in one game.

    What the spec does not say comes from the game's `settings` for that agent, then from the
    agent's own defaults.

    >>> from facedown.games.registry import load_game
    >>> make_agent("so-ismcts:iterations=500", load_game("kuhn"), 0, seed=1).recipe.c
    0.7
    """
    made = _constructed(spec_of(agent), game, player, seed)
    if isinstance(made, Agent):  # a user's class may be no relation of ours
        made.prepare()
    return made


def _constructed(spec_text: str, game: Game, player: int, seed: int) -> Agent:
    """The agent, which has not got ready yet."""
    spec = resolve(spec_text, game)
    maker: Any = agent_class(spec_text, game)
    options = {**settings_of(maker, spec, game), **given_options(maker, spec, game)}
    made: Agent = maker(game, player, seed, **constructed(maker, options))
    return made
