"""What the tests of Cheat share: positions by hand, exact beliefs by enumeration."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import zip_longest

from facedown.core import CHANCE, Position, Stream
from facedown.games.cheat.text import RANK_NAMES, ranks_in
from support.playing import game


def dealt(first: str, second: str, turned: str, spec: str = "cheat", begins: int = 0) -> Position:
    """The first decision: the hand of whoever begins, the other's, the card turned up."""
    g = game(spec)
    position = g.start()
    cards = [card for pair in zip_longest(first.split(), second.split()) for card in pair if card]
    moves = [f"player {begins} begins", *(f"deal {card}" for card in cards), f"turn up {turned}"]
    return play(position, *moves)


def play(position: Position, *moves: str) -> Position:
    """Play moves given as text, in place; each must be legal."""
    for move in moves:
        position.apply(position.game.parse_move(move, position.legal()))
    return position


def names(position: Position) -> list[str]:
    return [position.game.move_text(move) for move in position.legal()]


def hand(position: Position, player: int) -> str:
    return " ".join(RANK_NAMES[rank] for rank in ranks_in(position.record["cards"][player]))


def pile(position: Position) -> str:
    return hand(position, 2)


Belief = dict[bytes, tuple[Position, float]]


def filtered(states: Belief, token: int, viewer: int) -> Belief:
    """The positions after a token that a viewer sees, with their probabilities: an exact filter.

    Chance draws by its weights, players choose evenly; moves seen as nothing happen in between.
    """
    found: Belief = {}
    work = list(states.values())
    while work:
        position, chance = work.pop()
        if position.over:
            continue
        legal = position.legal()
        shares = [1 / len(legal)] * len(legal)
        if position.turn() == CHANCE:
            shares = position.weights()
        for move, share in zip(legal, shares, strict=True):
            seen = position.sees(move, viewer)
            if seen not in (0, token):
                continue
            after = position.copy()
            after.apply(move)
            if seen == 0:
                work.append((after, chance * share))
                continue
            key = after.digest()
            before = found[key][1] if key in found else 0.0
            found[key] = after, before + chance * share
    return found


def exact(spec: str, seed: int, viewer: int, most: int = 3000) -> Iterator[tuple[Position, Belief]]:
    """The positions of a random game with the exact probabilities of their worlds."""
    g, stream = game(spec), Stream(seed)
    position = g.start()
    states = {position.digest(): (position.copy(), 1.0)}
    while not position.over and len(states) <= most:
        chance = position.turn() == CHANCE
        move = position.draw(stream) if chance else stream.choice(position.legal())
        token = position.sees(move, viewer)
        if token:
            states = filtered(states, token, viewer)
        position.apply(move)
        if token and 1 < len(states) <= most and position.record["n"] > 0:
            yield position, states


def shares(belief: Belief) -> dict[bytes, float]:
    """The probability of each world of a belief."""
    total = sum(weight for _, weight in belief.values())
    return {key: weight / total for key, (_, weight) in belief.items()}
