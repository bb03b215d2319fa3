"""Soundness and completeness (section 3.9), against information sets that are enumerated."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from facedown.papers.cells import Cell
from facedown.papers.paper import Found, Page, RunBudget
from facedown.papers.schofield2019.games import MIDDLES, PAPER, Seen, game_text, players, seen
from facedown.papers.tables import table
from facedown.papers.verdict import Claim

if TYPE_CHECKING:
    from facedown.store.records import GameRecord

MOST_HISTORIES = 100
TIMES, LEAST_MODELS = 20, 100
"""Models for each history, and at least: few histories are missed by luck."""

_GAMES = (
    "monty-hall",
    "exploding-bomb",
    "cooperative-spies",
    "small-poker",
    "meier",
    "number-guessing",
    *MIDDLES,
)


def held(records: Iterable[GameRecord]) -> Mapping[str, Any]:
    """Sums over all rounds whose sets are small: what is in the bag, in the set, in both."""
    rounds = [found for one in seen(records) for found in _rounds(one)]
    names = ("models", "unsound", "histories", "missed", "states", "random")
    sums = {name: sum(found[name] for found in rounds) for name in names}
    return {"rounds": len(rounds), **sums}


def _rounds(one: Seen) -> Iterator[dict[str, float]]:
    """For each round, as long as the set is small, what a new bag holds and what it has cost."""
    from facedown.belief.hyperplay import Bag
    from facedown.papers.schofield2019.sampling import InformationSet, RandomSampling

    members = InformationSet(one.game, one.viewer, MOST_HISTORIES)
    random = RandomSampling(one.game, one.viewer, one.seed)
    for k, tokens in enumerate(one.rounds[:-1], 1):
        members.observe(tokens)
        random.observe(tokens)
        if members.members is None or random.cost is None:
            return
        models = max(LEAST_MODELS, TIMES * len(members.members))
        bag = Bag(one.game, one.viewer, models, one.seed, weigh="distinct")
        for token in (token for tokens in one.rounds[:k] for token in tokens):
            bag.observe(token)
        histories = bag.update().histories()
        yield {
            "models": len(histories),
            "unsound": sum(history not in members.members for history in histories),
            "histories": len(members.members),
            "missed": len(set(members.members) - set(histories)),
            "states": bag.joint_states,
            "random": random.cost * len(histories),
        }


def _cells(budget: RunBudget) -> list[Cell]:
    return [
        Cell(name, name, ("random",) * players(name), budget.games, budget.seed, measure=held)
        for name in _GAMES
    ]


@PAPER.exhibit(
    "soundness", "soundness and completeness by enumeration", _cells,
    games=6, iterations=None, quick=2,
)  # fmt: skip
def soundness(run: Found) -> Page:
    """Every model is in the set, every history of the set is in the bag."""
    rows, claims = [], []
    for outcome in run.outcomes:
        found = outcome.numbers
        ours, theirs = (found[what] / max(found["models"], 1) for what in ("states", "random"))
        texts = [f"{found[what]:,}" for what in ("rounds", "models", "unsound", "histories")]
        rows.append([game_text(outcome.cell.name), *texts, f"{found['missed']:,}",
                     f"{ours:,.1f}", f"{theirs:,.1f}"])  # fmt: skip
        whole = not found["unsound"] and not found["missed"]
        claims.append(Claim.fact(f"sound and complete in {game_text(outcome.cell.name)}", whole))
    head = ["game", "rounds", "models", "not in the set", "histories", "not in the bag",
            "HyperPlay, a sample", "random, a sample"]  # fmt: skip
    words = (
        f"Random games as the last role sees them, round by round while the information set has at "
        f"most {MOST_HISTORIES} histories, which are enumerated. In every round a new bag of "
        f"{TIMES} models for each history, at least {LEAST_MODELS}, follows all that was seen. "
        "States are joint moves tried from the start of the game, for each model, and expected for "
        "one random sample, means over all models."
    )
    return Page.of(words, table(head, rows), claims=claims)
