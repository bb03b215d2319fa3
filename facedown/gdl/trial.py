"""Can rules be played, as a match would play them? By a rule network, or by the lifted reasoner."""

from __future__ import annotations

from facedown.core.errors import RuleError
from facedown.gdl.checks import Finding
from facedown.gdl.errors import LimitError
from facedown.gdl.game import NetworkGame
from facedown.gdl.lifted import Lifted
from facedown.gdl.load import game_of
from facedown.gdl.network import RuleNetwork
from facedown.gdl.play import random_games
from facedown.gdl.simulate import Played, play
from facedown.gdl.syntax import Description, Place


def tried(description: Description, *, games: int, seconds: float, steps: int, seed: int) -> Played:
    """Random games by these rules, with what was wrong; SpecError where a match would raise it.

    The lifted reasoner tells most of what is wrong. Rules that are beyond it are played by their
    network, as a match plays them.
    """
    definition = game_of(description, description.source).definition
    by_network = isinstance(definition, NetworkGame)
    try:
        played = play(Lifted(description), games=games, seconds=seconds, steps=steps, seed=seed)
    except LimitError as error:
        if not by_network:
            raise
        played = _by_network(definition.network, games, steps, seed)
        played.findings["lifted"] = _doubt(
            f"beyond the lifted reasoner, which is not used: {error}"
        )
    if not by_network:
        played.findings["network"] = _doubt(f"played without a rule network: {definition.reason}")
    return played


def _doubt(words: str) -> Finding:
    return Finding("warning", Place(1, 1), words)


def _by_network(rules: RuleNetwork, games: int, steps: int, seed: int) -> Played:
    """Random games in the network: whether everybody can move until they end."""
    played = Played()
    for number in range(games):
        try:
            one = random_games(rules, 1, seed + number + 1, most=steps)
        except RuleError as error:
            played.tell("error", str(error), number, 0)
            break
        played.games, played.states = number + 1, played.states + one.states
        if not one.games:
            played.tell("error", f"a game did not end in {steps:,} steps", number, steps)
            break
    return played
