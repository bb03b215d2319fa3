"""Whether a game's resampler can be trusted: tried on random games, before anybody plays by it.

It must give worlds in which the player has seen what it has, with the same legal actions. And it
must not know more than the player: from two states that look the same to it the same random numbers
must draw the same world. The second state comes from the first by trading places among hidden
moves, one after another, as long as the player sees no difference: the resampler has no part in it.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from facedown.core import Stream, derive

if TYPE_CHECKING:
    from facedown.bridges.openspiel.games import OpenSpielGame

History = tuple[int, ...]

GAMES, DECISIONS = 4, 3
"""Random games, and decisions looked at in each."""

TRADES, MADE, PLIES = 200, 6, 2000
"""Trades that are tried for another state, those that will do, and moves replayed for them."""


def fault(rules: OpenSpielGame) -> str | None:
    """What speaks against the resampler, in a few words; None where it is sound."""
    if (missing := _missing(rules)) is not None:
        return missing
    compared = 0
    for seed in range(GAMES):
        for history in _decisions(rules, seed):
            found = _tried(rules, history, seed)
            if isinstance(found, str):
                return found
            compared += found
    return None if compared else "too few other states were found to try it with"


def _missing(rules: OpenSpielGame) -> str | None:
    """Why there is none that could be asked."""
    state = rules.rebuilt(_decisions(rules, 0)[0])
    try:
        with quietly():
            draw(state, 0)
    except Exception as error:
        told = " ".join(str(error).split())
        return "there is none" if "not implemented" in told else f"it fails: {told:.80}"
    return None


def draw(state: Any, seed: int) -> History:
    """The world that the resampler draws for whoever acts, with the numbers of a seed."""
    stream = Stream(derive(seed, "world"))
    world = state.resample_from_infostate(state.current_player(), stream.random)
    return tuple(world.history())


def _decisions(rules: OpenSpielGame, seed: int) -> list[History]:
    """The histories of some decisions of a random game, the first among them."""
    s, stream, found = rules.start(), Stream(derive(seed, "game")), list[History]()
    while not s.state.is_terminal():
        chance: bool = s.state.is_chance_node()
        if not chance:
            found.append(s.canonical())
        rules.apply(s, rules.draw(s, stream) if chance else stream.choice(rules.legal(s)))
    return found[:: max(1, -(-len(found) // DECISIONS))]


def _tried(rules: OpenSpielGame, history: History, seed: int) -> int | str:
    """Whether another state was found, and gave the same world; or what is wrong."""
    state = rules.rebuilt(history)
    viewer: int = state.current_player()
    drawn = draw(state, seed)
    if not seen_alike(rules, drawn, history, viewer):
        return "it draws worlds that the player has not seen"
    if rules.rebuilt(drawn).legal_actions() != state.legal_actions():
        return "it draws worlds with other legal actions"
    other = traded(rules, history, viewer, Stream(derive(seed, "trades", len(history))))
    if draw(rules.rebuilt(other), seed) != drawn:
        return "it knows what the player cannot know"
    return int(other != history)


def seen_alike(rules: OpenSpielGame, one: History, other: History, viewer: int) -> bool:
    """Whether a player knows the same after both histories.

    An information state tells all that it knows: in which order its cards came is no part of it.
    """
    ends = (rules.sight(rules.rebuilt(each), viewer) for each in (one, other))
    if next(ends) != next(ends):
        return False
    return rules.recalls or rules.told(one, viewer) == rules.told(other, viewer)


def traded(rules: OpenSpielGame, history: History, viewer: int, stream: Stream) -> History:
    """A history that the viewer would have seen alike, by trades of moves that are not its own.

    The same one where no other was found.
    """
    played = rules.rebuilt(history).full_history()
    places = [k for k, one in enumerate(played) if one.player != viewer]
    made = [history]
    for _ in range(min(TRADES, PLIES // len(history)) if places else 0):
        tried = _trade(rules, made[-1], places, stream)
        if tried in made or not _possible(rules, tried):
            continue
        if seen_alike(rules, tried, history, viewer):
            made.append(tried)
        if len(made) > MADE:
            break
    return made[-1]


def _trade(rules: OpenSpielGame, history: History, places: list[int], stream: Stream) -> History:
    """Two moves in each other's place, or another move in the place of one."""
    moves, k, j = list(history), stream.choice(places), stream.choice(places)
    if k != j and stream.below(2):
        moves[k], moves[j] = moves[j], moves[k]
        return tuple(moves)
    moves[k] = stream.choice(rules.rebuilt(history[:k]).legal_actions())
    return tuple(moves)


def _possible(rules: OpenSpielGame, history: History) -> bool:
    """Whether every move of a history is legal where it is made, and the game goes on after it."""
    state = rules.source.new_initial_state()
    for action in history:
        if state.is_terminal() or action not in state.legal_actions():
            return False
        state.apply_action(action)
    return not state.is_terminal()


@contextmanager
def quietly() -> Iterator[None]:
    """Have nothing written to standard error: OpenSpiel prints what it raises."""
    sys.stderr.flush()
    kept = os.dup(2)
    try:
        with open(os.devnull, "wb") as nothing:
            os.dup2(nothing.fileno(), 2)
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)
