"""The ground that other laws stand on: one start, rules that always answer alike, honest copies."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from facedown.core import CHANCE, OVER, Game, Position, Stream, derive
from facedown.core.canonical import canonical
from facedown.laws.findings import Violation, viewer_name
from facedown.laws.lab import DivergedError, Lab, SkippedError
from facedown.laws.law import law
from facedown.laws.probes import difference, draws, move_name, raw_legal, raw_payoff, raw_weights
from facedown.laws.stories import playable
from facedown.laws.trace import Mark, first_difference, trace

_LOADS = 6  # a deal hidden in the object must coincide this often to go unnoticed
_TRACES = 8
_MOST_ASKED = 300  # plies of a story at which questions are asked


def context_bytes(game: Game) -> bytes:
    """The bytes of a compiled game's `ctx`."""
    context: Any = getattr(game.rules, "context", None)
    return b"" if context is None else bytes(context.tobytes())


def attributes(game: Game) -> dict[str, str]:
    """What a plain game's object holds, as text; what has no stable text is left out."""
    if game.compiled:
        return {}
    found = {}
    for name, value in vars(game.definition).items():
        try:
            found[name] = canonical(value)
        except (TypeError, ValueError, RecursionError, OverflowError):
            continue
    return found


def _instances(lab: Lab) -> list[Game]:
    return lab.memo("instances", lambda: [lab.load() for _ in range(_LOADS - 1)])


@law("same-start", "Two games made alike start alike: start deals nothing, nor does ctx.")
def same_start(lab: Lab) -> Iterator[Violation]:
    """Compare ctx, a plain object's attributes and the start, over several instances."""
    first = lab.load()
    again = list(_start_again(lab, first))
    if again:
        yield from again
        return
    held, start = attributes(first), first.start()
    for other in _instances(lab):
        lab.look()
        if context_bytes(other) != context_bytes(first):
            yield lab.broken("ctx differs between two games made alike: something is dealt in it")
        theirs = attributes(other)
        if differing := [name for name in held if held[name] != theirs.get(name)]:
            names = ", ".join(differing)
            yield lab.broken(f"two objects of the game made alike differ in {names}: a hidden deal")
        if (begun := other.start()).digest() != start.digest():
            yield lab.broken(f"start differs between two games: {difference(start, begun)}")


def _start_again(lab: Lab, game: Game) -> Iterator[Violation]:
    """The start of one object, asked again, and again after playing on from it."""
    first, *others = [game.start() for _ in range(_LOADS)]
    begun, second = first.digest(), others[0]
    lab.look()
    for other in others:
        if other.digest() != begun:
            yield lab.broken(f"start asked twice differs: {difference(first, other)}")
            return
    for move in playable(first)[:1]:
        first.play(move)
        if second.digest() != begun or game.start().digest() != begun:
            yield lab.broken("a move played from one start changes another start")


def _compare(lab: Lab, games: Sequence[Game], seed: int, who: str) -> Iterator[Violation]:
    one, other = (list(trace(game, seed)) for game in games)
    lab.look()
    found = first_difference(one, other)
    if found is not None:
        ply, kinds = found
        moves = tuple(mark.move for mark in one[1 : ply + 1])
        yield Violation(lab.law, f"{who} differ in {', '.join(kinds)}", seed, moves)


@law("same-game", "Two games made alike answer alike all through the same moves.")
def same_game(lab: Lab) -> Iterator[Violation]:
    """Play the same random games with several instances."""
    lab.load()
    for k in range(_TRACES):
        others = _instances(lab)
        pair = (others[0], others[1 + k % (len(others) - 1)])
        yield from _compare(lab, pair, lab.seed + k, "two games made alike")


@law("ctx", "Play leaves ctx as it was.")
def ctx_unchanged(lab: Lab) -> Iterator[Violation]:
    """Compare ctx before and after each of several games."""
    if not context_bytes(lab.game):
        raise SkippedError("the game has no ctx")
    fresh = context_bytes(lab.load())
    for k in range(_TRACES):
        marks: list[Mark] = list(trace(lab.game, lab.seed + k))
        lab.look()
        if context_bytes(lab.game) != fresh:
            moves = tuple(mark.move for mark in marks[1:])
            yield Violation(lab.law, "ctx was changed by play", lab.seed + k, moves)
            return


def _questions(
    lab: Lab, position: Position, legal: Sequence[int]
) -> Iterator[tuple[str, int | None, Any]]:
    """Every question that can be asked of the truth, with its answer, as (rule, viewer, answer)."""
    turn = position.turn()
    yield "turn", None, turn
    if legal:
        yield "legal", None, raw_legal(position)
    if turn == CHANCE and lab.game.has("weights"):
        yield "weights", None, raw_weights(position)
    if turn == OVER:
        yield "payoff", None, raw_payoff(position)
    for viewer in lab.viewers:
        for move in legal[:16]:
            yield f"sees({move_name(lab.game, move)})", viewer, position.sees(move, viewer)
        yield "infoset", viewer, position.infoset(viewer)
        if lab.game.has("bucket"):
            yield "bucket", viewer, position.bucket(viewer)


def _asked(rule: str, viewer: int | None) -> str:
    return rule if viewer is None else f"{rule} for {viewer_name(viewer)}"


@law("rules-deterministic", "A rule asked twice gives the same answer, and a game can be replayed.")
def rules_deterministic(lab: Lab) -> Iterator[Violation]:
    """Ask everything twice, apply every played move twice, and replay whole games."""
    try:
        for step in lab.steps():
            lab.look()
            once = list(_questions(lab, step.position, step.legal))
            again = list(_questions(lab, step.position, step.legal))
            for (rule, viewer, first), (_, _, second) in zip(once, again, strict=False):
                if repr(first) != repr(second):  # NaN is equal to itself here
                    what = f"{_asked(rule, viewer)} asked twice gives {first} and {second}"
                    yield lab.broken(what, viewer=viewer)
            yield from _applied_twice(lab, step.position, step.move)
    except DivergedError:
        yield lab.broken("the same moves led to another position than before")
    for k in range(_TRACES):
        yield from _compare(lab, (lab.game, lab.game), lab.seed + k, "two replays of one game")


def _applied_twice(lab: Lab, position: Position, move: int | None) -> Iterator[Violation]:
    if move is not None:
        first, second = position.copy(), position.copy()
        first.play(move)
        second.play(move)
        if first.digest() != second.digest():
            name, how = move_name(lab.game, move), difference(first, second)
            yield lab.broken(f"apply of {name} on two copies gives different positions: {how}")
    for viewer in lab.viewers:
        one, other = position.view(viewer), position.view(viewer)
        if one.digest() != other.digest():
            what = f"hide for {viewer_name(viewer)} asked twice differs: {difference(one, other)}"
            yield lab.broken(what, viewer=viewer)


@law("questions", "Asking a question changes nothing.")
def questions(lab: Lab) -> Iterator[Violation]:
    """Compare the digest of a position that nobody has asked yet before and after each question."""
    for number, story in enumerate(lab.stories):
        position = lab.game.start()
        for ply, move in enumerate((*story.moves[:_MOST_ASKED], None)):
            lab.here = (number, ply)
            fresh, legal = position.copy(), playable(position.copy())
            before = fresh.digest()
            for _ in _questions(lab, fresh, legal):
                lab.look()
            if fresh.digest() != before:
                yield _which(lab, position, legal)
                return
            if move is not None:
                position.play(move)


def _which(lab: Lab, position: Position, legal: Sequence[int]) -> Violation:
    """The violation of the first question that changes the position."""
    fresh, before = position.copy(), position.digest()
    for rule, viewer, _ in _questions(lab, fresh, legal):
        if fresh.digest() != before:
            return lab.broken(f"{_asked(rule, viewer)} changes the position", viewer=viewer)
    return lab.broken("a question changes the position")


@law("copies", "Copies share nothing: changing one leaves the other as it was.")
def copies(lab: Lab) -> Iterator[Violation]:
    """Change a copy by apply, hide and determinize; the original must not change."""
    for step in lab.steps():
        original, before = step.position.copy(), step.position.digest()
        if original.digest() != before:
            how = difference(step.position, original)
            yield lab.broken(f"a copy differs from its original: {how}")
            continue
        for change, viewer, changed in _changes(lab, original, step.move):
            lab.look()
            if original.digest() != before:
                how = difference(lab.position(step.ref), original)
                yield lab.broken(f"{change} on a copy changes the original: {how}", viewer=viewer)
                return
            del changed


def _changes(
    lab: Lab, original: Position, move: int | None
) -> Iterator[tuple[str, int | None, Position]]:
    """Copies of `original`, each changed in one way."""
    if move is not None:
        copy = original.copy()
        copy.play(move)
        yield f"apply of {move_name(lab.game, move)}", None, copy
    for viewer in lab.viewers:
        view = original.view(viewer)
        yield f"hide for {viewer_name(viewer)}", viewer, view
        if lab.game.has("determinize") and draws(view, viewer):
            view.determinize(viewer, Stream(derive(lab.seed, "copies", viewer)))
            yield f"determinize for {viewer_name(viewer)}", viewer, view
