"""What a viewer can know, exactly: every history that gives his tokens, and how likely each is.

Other than the enumeration of a whole game this follows one story's tokens, so it reaches the end of
games that are far too large to enumerate, wherever not too much is hidden.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from facedown.core import OVER, Game, Position
from facedown.laws.clock import now
from facedown.laws.probes import chances, short
from facedown.laws.stories import located

Key = tuple[int, bytes]  # how many tokens were seen, and which position


@dataclass
class _Node:
    position: Position
    matched: int
    chance: float
    moves: tuple[int, ...]


@dataclass
class Informed:
    """For each number of tokens seen, the worlds right after the last of them, and their chances.

    `whole` says up to how many tokens nothing is missing.
    """

    worlds: list[dict[bytes, float]]
    histories: list[dict[bytes, tuple[int, ...]]] = field(default_factory=list)
    states: int = 0
    whole: int = 0


def informed(
    game: Game, tokens: Sequence[int], viewer: int, most_states: int, until: float
) -> Informed:
    """Follow all histories that show the viewer `tokens`, level by level, within a budget."""
    n = len(tokens)
    found = Informed([{} for _ in range(n + 1)], [{} for _ in range(n + 1)])
    level: dict[Key, _Node] = {(0, b""): _Node(game.start(), 0, 1.0, ())}
    found.worlds[0][short(game.start().digest())] = 1.0
    while level:
        following: dict[Key, _Node] = {}
        for node in level.values():
            _expand(found, node, following, tokens, viewer)
            if found.states > most_states or now() > until:
                found.whole = min(_least(level), _least(following))
                return found
        level = following
    found.whole = n
    return found


def _least(level: dict[Key, _Node]) -> int:
    """The tokens of which all worlds are known, where these nodes are not followed further."""
    return min((node.matched for node in level.values()), default=1 << 30)


def _expand(
    found: Informed, node: _Node, following: dict[Key, _Node], tokens: Sequence[int], viewer: int
) -> None:
    position = node.position
    with located(position.game, node.moves):
        if node.matched == len(tokens) or position.turn() == OVER:
            return
        legal = position.legal()
        odds = chances(position, legal)
    for move, chance in zip(legal, odds, strict=True):
        found.states += 1
        with located(position.game, (*node.moves, move)):
            token = position.sees(move, viewer)
            if chance > 0.0 and token in (0, tokens[node.matched]):
                _reach(found, node, move, chance, token, following)


def _reach(
    found: Informed,
    node: _Node,
    move: int,
    chance: float,
    token: int,
    following: dict[Key, _Node],
) -> None:
    after, chance = node.position.copy(), node.chance * chance
    after.apply(move)
    digest, matched = short(after.digest()), node.matched + (token != 0)
    if token:
        worlds = found.worlds[matched]
        worlds[digest] = worlds.get(digest, 0.0) + chance
        found.histories[matched].setdefault(digest, (*node.moves, move))
    known = following.get((matched, digest))
    if known is None:
        following[matched, digest] = _Node(after, matched, chance, (*node.moves, move))
    else:
        known.chance += chance
