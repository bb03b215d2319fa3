"""Figure 3a: the ROC curves of the classifiers (section 4.7)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from facedown.papers import plots
from facedown.papers.bitan2017.counting import GAME, PAPER, PEOPLE, digest
from facedown.papers.cells import PAIR_MATCHES, Cell, CellResult, Measure
from facedown.papers.paper import Cells, Found, Page, RunBudget
from facedown.papers.plots import Axes
from facedown.papers.tables import table
from facedown.papers.verdict import Claim

if TYPE_CHECKING:
    from facedown.belief.predictor import About
    from facedown.learn.corpus import Corpus
    from facedown.store.records import GameRecord

_SEED = 1  # of the classifiers
_POINTS = 200  # of a curve, about: more cannot be seen
PUBLISHED = "random forest on people, published", 1 - 0.740, 0.753
"""A point of the paper's curve, by its name: the rates at which claims were taken for false."""
_AUC = 0.821
_STATED = ["random forest, **published, of people**", "0.821", "", "75.3", "74.0", "74.6"]


def random_forest(records: Iterable[GameRecord]) -> Mapping[str, Any]:
    """The random forest's curve and rates."""
    return _told("random-forest", records)


def svm(records: Iterable[GameRecord]) -> Mapping[str, Any]:
    """The support vector machine's."""
    return _told("svm", records)


def decision_tree(records: Iterable[GameRecord]) -> Mapping[str, Any]:
    """The decision tree's."""
    return _told("decision-tree", records)


def neural_network(records: Iterable[GameRecord]) -> Mapping[str, Any]:
    """The neural network's."""
    return _told("neural-network", records)


_MEASURES = (random_forest, svm, decision_tree, neural_network)


def _told(name: str, records: Iterable[GameRecord]) -> dict[str, Any]:
    """How well a classifier tells lies from truth in these games."""
    corpus, found = judged(name, records, "secrets")
    return {**found, "false": int(corpus.positive.sum())}


def judged(name: str, records: Iterable[GameRecord], about: About) -> tuple[Corpus, dict[str, Any]]:
    """What is learnt from in these games, and a classifier's rates and curve at it, by the paper's
    cross-validation: trained on all other pairs and on the same pair's earlier claims."""
    from facedown.games.registry import load_game
    from facedown.learn.corpus import gather
    from facedown.learn.models import cross_validate, quality

    corpus = gather(load_game(GAME), records, about)
    found = quality(name, corpus, cross_validate(name, corpus, seed=_SEED), _SEED)
    across, up = found.curve
    keep = sorted({0, len(across) - 1, *range(0, len(across), max(1, len(across) // _POINTS))})
    return corpus, {
        **found.to_json(),
        "curve": [[round(float(axis[k]), 5) for k in keep] for axis in (across, up)],
        "claims": len(corpus),
        "pairs": len(corpus.pairs),
        "people": digest(GAME),
    }


def pairs_with(measures: Sequence[Measure]) -> Cells:
    """Simulated people play each other, and every measure is taken, a cell each."""

    def cells(budget: RunBudget) -> list[Cell]:
        return [
            Cell(measure.__name__.replace("_", "-"), GAME, (PEOPLE, PEOPLE), budget.games,
                 budget.seed, duplicate=False, seats="pairs", measure=measure)
            for measure in measures
        ]  # fmt: skip

    return cells


@PAPER.exhibit(
    "roc", "ROC curves of four classifiers on simulated people", pairs_with(_MEASURES),
    games=60, iterations=None, quick=8,
    because="because simulated people's tells are as strong as they were drawn",
)  # fmt: skip
def roc(run: Found) -> Page:
    """Simulated people play each other, two games a pair; what their claims hide is predicted."""
    found = run.outcomes
    one = found[0].numbers
    words = (
        f"{one['claims']:,} claims of **simulated people**, not human players (digest "
        f"{one['people']}), {one['false']:,} of them false, in {one['pairs']} pairs that play "
        f"{PAIR_MATCHES} games each. A claim is predicted by a model that was trained on all other "
        "pairs and on the same pair's earlier claims (section 4.7; in two blocks a pair). "
        "Intervals are over pairs (bootstrap); rates are at a share of 1/2, TPR of false claims."
    )
    meaning = (
        "What this would mean with people: the curve says how far what people do at the table "
        "gives their lies away. Of simulated people that follows from how strongly their tells "
        "were drawn, which nobody knows of people; the same command on records of people "
        "(`facedown learn`) would measure it."
    )
    rows = [row_of(outcome) for outcome in found]
    axes = Axes("Telling lies from truth in Cheat (Figure 3a)", note(run),
                "true claims taken for false", "false claims recognised")  # fmt: skip
    draw = partial(plots.curves, lines=lines_of(found), axes=axes, published=PUBLISHED)
    near = one["low"] - 0.0005 <= _AUC <= one["high"] + 0.0005
    claims = [Claim.fact("the area under the random forest's curve, 0.821", near)]
    return Page.of(words, table(HEAD, [*rows, _STATED]), meaning, draw=draw, claims=claims)


HEAD = ["classifier", "AUC", "95 % interval", "TPR, %", "TNR, %", "G-mean, %"]


def row_of(outcome: CellResult) -> list[str]:
    """The row of a classifier."""
    found = outcome.numbers
    rates = [f"{100 * found[key]:.1f}" for key in ("tpr", "tnr", "g_mean")]
    area = [f"**{found['auc']:.3f}**", f"{found['low']:.3f} to {found['high']:.3f}"]
    return [str(found["classifier"]), *area, *rates]


def lines_of(found: Sequence[CellResult]) -> list[tuple[str, list[float], list[float]]]:
    """The curves by what they are called."""
    return [
        (f"{one.numbers['classifier']}, AUC {one.numbers['auc']:.3f}", *one.numbers["curve"])
        for one in found
    ]


def note(run: Found) -> str:
    """Of whom the curves are, for a picture."""
    return f"simulated people, {run.budget.games} games, seed {run.budget.seed}"
