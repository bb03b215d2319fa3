"""Laws of what is kept beside a position: memos of tokens, and moves listed by their kinds."""

from __future__ import annotations

from collections.abc import Iterator

from facedown.core import OVER, Memo, Stream, derive
from facedown.laws.findings import Violation, viewer_name
from facedown.laws.lab import Lab, Recall, Step
from facedown.laws.law import FOUNDATION, law, wants
from facedown.laws.probes import move_name


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
    if game.has("determinize"):
        view = position.view(viewer)
        view.determinize(viewer, Stream(derive(lab.seed, "memo", step.ref[1])), memo=memo)
        if memo.digest() != before:
            yield "determinize"


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
