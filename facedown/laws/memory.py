"""Laws of what is asked beside a position: memos of tokens, moves by kinds, traits of moves."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from facedown.core import OVER, Memo, Stream, derive
from facedown.laws.findings import Violation, viewer_name
from facedown.laws.lab import Lab, Recall, Step
from facedown.laws.law import FOUNDATION, law, wants
from facedown.laws.probes import draws, move_name


@law(
    "memos",
    "A memo depends on a viewer's tokens alone, and rules that are handed one leave it as it is.",
    needs=FOUNDATION,
)
def memos(lab: Lab) -> Iterator[Violation]:
    """Keep everybody's memo through every story: equal tokens, equal memos; ask with them."""
    wants(lab, "remember")
    recall = Recall()
    kept: dict[int, Memo] = {}
    tokens: dict[int, tuple[int, ...]] = {}
    for step in lab.steps(twins=True):
        if step.ref[1] == 0:
            kept = {viewer: Memo(lab.game) for viewer in lab.viewers}
            tokens = dict.fromkeys(lab.viewers, ())
        for viewer, memo in kept.items():
            lab.look()
            who = viewer_name(viewer)
            there = recall.clash((viewer, tokens[viewer]), memo.digest(), step.ref)
            if there is not None:
                what = f"the memo of {who} differs from that after {lab.tell(there)}"
                yield lab.broken(f"{what}, though he saw the same", viewer=viewer)
            for rule in _changing(lab, step, viewer, memo):
                yield lab.broken(f"{rule} for {who} changes the memo", viewer=viewer)
            if step.move is not None:
                token = step.position.sees(step.move, viewer)
                if token:
                    memo.remember(token, viewer)
                    tokens[viewer] = (*tokens[viewer], token)


def _changing(lab: Lab, step: Step, viewer: int, memo: Memo) -> Iterator[str]:
    """The rules that change a memo that they are handed."""
    before, game, position = memo.digest(), lab.game, step.position.copy()
    if game.has("bucket"):
        position.bucket(viewer, memo)
        if memo.digest() != before:
            yield "bucket"
    if game.has("prior") and step.turn == viewer and step.legal:
        position.prior(step.legal, memo)
        if memo.digest() != before:
            yield "prior"
    if game.has("determinize") and draws(view := position.view(viewer), viewer):
        view.determinize(viewer, Stream(derive(lab.seed, "memo", step.ref[1])), memo=memo)
        if memo.digest() != before:
            yield "determinize"


@law(
    "traits",
    "Traits of moves are finite, depend on what the viewer knows, and each move's on no other.",
    needs=FOUNDATION,
)
def traits(lab: Lab) -> Iterator[Violation]:
    """At every decision, for every player: what the truth tells is what the view tells."""
    wants(lab, "traits")
    kept: list[Memo] = []
    for step in lab.steps():
        if step.ref[1] == 0:
            kept = [Memo(lab.game) for _ in range(lab.game.players)]
        for viewer, memo in enumerate(kept):
            lab.look()
            if step.turn >= 0 and step.legal:
                fault = _traits_fault(lab, step, viewer, memo)
                if fault:
                    who = viewer_name(viewer)
                    yield lab.broken(f"traits for {who} {fault}", viewer=viewer)
            token = 0 if step.move is None else step.position.sees(step.move, viewer)
            if token:
                memo.remember(token, viewer)


def _traits_fault(lab: Lab, step: Step, viewer: int, memo: Memo) -> str:
    """What is wrong with what is told of the legal moves; "" if nothing."""
    before = memo.digest()
    whole, rows = step.position.traits(viewer, step.legal, memo)
    if not (np.isfinite(whole).all() and np.isfinite(rows).all()):
        return "are not finite"
    if memo.digest() != before:
        return "change the memo"
    seen = step.position.view(viewer).traits(viewer, step.legal, memo)
    if not (np.array_equal(seen[0], whole) and np.array_equal(seen[1], rows)):
        return "tell in truth something else than on the view"
    alone = step.position.traits(viewer, step.legal[-1:], memo)
    if not (np.array_equal(alone[0], whole) and np.array_equal(alone[1][0], rows[-1])):
        return "of a move depend on which others are asked about"
    return ""


@law(
    "kinds",
    "Kind by kind of those that `kinds` tells, `of_kind` lists the legal moves, each once.",
    needs=FOUNDATION,
)
def kinds(lab: Lab) -> Iterator[Violation]:
    """At every position, hold what is listed by kind against `legal`, and `kind` if there is it."""
    wants(lab, "kinds")
    for step in lab.steps():
        lab.look()
        if step.turn == OVER or not step.legal:
            continue
        fault = _kinds_fault(lab, step)
        if fault:
            yield lab.broken(fault)


def _kinds_fault(lab: Lab, step: Step) -> str:
    """What is wrong with the kinds of a position's moves; "" if nothing."""
    listed = {kind: step.position.of_kind(kind) for kind in step.position.kinds()}
    for kind, moves in listed.items():
        if not moves:
            return f"kinds tells of kind {kind}, and of_kind lists none of it"
        odd = [move for move in moves if lab.game.has("kind") and step.position.kind(move) != kind]
        if odd:
            return f"of_kind lists {move_name(lab.game, odd[0])} as of kind {kind}, kind does not"
    found = sorted(move for moves in listed.values() for move in moves)
    if found == sorted(step.legal):
        return ""
    return f"of_kind lists {len(found)} moves over all kinds, legal {len(step.legal)} or others"
