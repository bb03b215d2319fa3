"""A move's number means the same everywhere: moves numbered by their place in a hand are found.

A hand's index gives itself away where others see the card: what they see of a play names one move
in this position and another in that, though what they knew before is the same. An honest game may
look so too: the outcome of an attempt, seen by all, depends on what nobody knows. There the mover
does not know the outcome either. So a suspicion counts only where, for the mover, each of his moves
comes out alike in all the look-alikes of his position that can be found. An index that is never
shown to anyone (a card laid face down) cannot be told from outside, and a step by direction whose
goal, but not its direction, is shown by a mover whose place was secret is taken for one.
"""

from __future__ import annotations

from collections.abc import Iterator

from facedown.laws.findings import Violation, viewer_name
from facedown.laws.lab import Lab, Recall, Ref, Step
from facedown.laws.law import FOUNDATION, law
from facedown.laws.probes import move_name
from facedown.laws.stories import look_alike, replay

_LOOK_ALIKES = 48
_LEAST_FOUND = 8
_ENOUGH = 3  # confirmed suspicions, each of stories of its own
_MOST_MOVES = 32


@law("move-meaning", "What others see of a move names the same move everywhere.", needs=FOUNDATION)
def move_meaning(lab: Lab) -> Iterator[Violation]:
    """Look for plays whose public face names two different moves of one player."""
    confirmed: list[Violation] = []
    stories: set[int] = set()
    tried = 0
    for step, viewer, move, there in _suspicions(lab):
        if step.ref[0] in stories or tried > 40:
            continue
        tried += 1
        if _known_to_mover(lab, step.ref, viewer) and _known_to_mover(lab, there, viewer):
            stories |= {step.ref[0]}
            lab.here = step.ref
            confirmed.append(lab.broken(_words(lab, step, viewer, move, there), viewer=viewer))
        if len(confirmed) >= _ENOUGH:
            yield from confirmed
            return


def _suspicions(lab: Lab) -> Iterator[tuple[Step, int, int, Ref]]:
    """Steps where a token that a viewer could get named another move before, legal here as well.

    A token that tells a part only (the suit) also names several moves, but not while the others of
    them are legal and show something else.
    """
    recall = Recall()
    for step in lab.steps(twins=True):
        if step.turn < 0 or not 2 <= len(step.legal) <= _MOST_MOVES:
            continue
        for viewer in lab.viewers:
            lab.look()
            tokens = {step.position.sees(move, viewer): move for move in step.legal}
            if viewer == step.turn or len(tokens) < len(step.legal) or 0 in tokens:
                continue
            for token, move in tokens.items():
                key = (viewer, step.digest(viewer), step.turn, token)
                there = recall.clash(key, move, step.ref)
                if there is not None and recall.get(key) in step.legal:
                    yield step, viewer, recall.get(key), there
                    break


def _known_to_mover(lab: Lab, ref: Ref, viewer: int) -> bool:
    """Whether the mover knows beforehand what the viewer will see of each of his moves."""
    moves, stream = lab.moves(ref), lab.stream("known", ref[0], ref[1], viewer)
    position = lab.position(ref)
    mover, legal = position.turn(), position.legal()
    shown = [position.sees(move, viewer) for move in legal]
    found = 0
    for _ in range(_LOOK_ALIKES):
        other = look_alike(lab.game, moves, mover, stream, tries=2)
        if other is None:
            continue
        alike = replay(lab.game, other)
        if alike.turn() != mover or sorted(alike.legal()) != sorted(legal):
            continue  # it still lacks moves that the mover does not see
        found += 1
        if [alike.sees(move, viewer) for move in legal] != shown:
            return False
    return found >= _LEAST_FOUND


def _words(lab: Lab, step: Step, viewer: int, move: int, there: Ref) -> str:
    here = {step.position.sees(m, viewer): m for m in step.legal}
    token = lab.position(there).sees(move, viewer)
    return (
        f"{viewer_name(viewer)} sees the same of player {step.turn}'s "
        f"{move_name(lab.game, here[token])} (here) and of his {move_name(lab.game, move)} (after "
        f"{lab.tell(there)}): a move must mean the same everywhere, never an index into a hand"
    )
