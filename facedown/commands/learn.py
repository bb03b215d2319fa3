"""`facedown learn`: what recorded players hid, answered, or liked to do."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from facedown.commands.options import Json, Overwrite, StoreFile, seed_word, whole

if TYPE_CHECKING:
    from facedown.belief.predictor import About
    from facedown.core.files import NewFile
    from facedown.learn.corpus import Corpus
    from facedown.learn.models import Quality

PREFERENCES = "preferences"
"""What is counted, and no model."""
MOVES = "moves"
"""What a network over the traits of moves is trained on."""
MINDS = "minds"
"""How kinds of players play The Resistance, from games of strangers."""
STRANGERS, LESSONS, THEMSELVES = "strangers", "lessons", "themselves"
"""What minds are learnt from, and how much of it where nobody says."""
GAMES_A_ROUND = 20
"""For so many games that strangers play a network has a round of learning to win among them."""
ENOUGH = {STRANGERS: 15_000, LESSONS: 300, THEMSELVES: 300}


def learn(
    game: Annotated[str, typer.Argument(metavar="GAME")],
    sources: Annotated[
        list[str],
        typer.Option(
            "--from",
            metavar="FILE|RUN",
            help="Records to learn from: a file, a folder of them (a study's export), or a run of "
            "the store; for preferences also a table of counts; may be repeated. For minds: "
            "strangers[:GAMES], who play so many games for it; lessons[:ROUNDS] or "
            "themselves[:ROUNDS], networks that learn by winning among strangers, or among "
            "themselves.",
        ),
    ],
    out: Annotated[Path, typer.Option(metavar="FILE", help="What is learnt, written at the end.")],
    classifier: Annotated[
        str | None, typer.Option(metavar="NAME", help="Which.", show_default="the best AUC")
    ] = None,
    blocks: Annotated[
        int | None,
        typer.Option(
            callback=whole,
            help="Parts of a pair's samples in the cross-validation; 0: none.",
            show_default="2",
        ),
    ] = None,
    plot: Annotated[
        Path | None, typer.Option(metavar="FILE.png", help="Draw the ROC curves.")
    ] = None,
    about: Annotated[
        str,
        typer.Option(
            metavar="WHAT",
            help="What actions hide (secrets), replies to a move, preferences among kinds, "
            "which moves are chosen (moves), or how kinds of players play (minds).",
        ),
    ] = "secrets",
    of: Annotated[
        str | None,
        typer.Option(
            "--of",
            metavar="AGENT",
            help="Whose choices alone are learnt from, by name or spec, for preferences and moves.",
            show_default="everybody's",
        ),
    ] = None,
    seed: Annotated[int, typer.Option(callback=seed_word, help="Of the classifiers.")] = 0,
    overwrite: Overwrite = False,
    store: StoreFile = None,
    json: Json = False,
) -> None:
    """Learn from recorded games what an action hid, or is answered; compare classifiers at that.

    Or count which kinds of moves players preferred, or train a network on which they chose.
    """
    from facedown.commands.screen import console, notes, print_json
    from facedown.core.files import NewFile

    sources = [file for source in sources for file in _files(source)]
    _check_of(of, about)
    if about == MINDS:
        _no_comparison(about, classifier, blocks, plot)
        place = NewFile(out, overwrite=overwrite)
        _learn_minds(Task(game, about, sources, place, store, seed), json)
        return
    wanted = None if about in (PREFERENCES, MOVES) else _kind(about)
    place, picture = _places(sources, out, plot, overwrite)
    task = Task(game, about, sources, place, store, seed, of)
    if wanted is None:
        _no_comparison(about, classifier, blocks, plot)
        (_learn_moves if about == MOVES else _learn_preferences)(task, json)
        return
    from facedown.learn.corpus import read_corpus
    from facedown.learn.models import BLOCKS, CLASSIFIERS, packed, told, train

    blocks = BLOCKS if blocks is None else blocks
    _check_choice(classifier, blocks, plot)
    names = CLASSIFIERS if classifier is None or blocks else (classifier,)
    with notes(only=True) as progress:
        corpus = read_corpus(game, sources, wanted, store)
        found = [] if blocks == 0 else _compared(names, corpus, blocks, seed, progress.step)
        best = classifier or max(found, key=lambda one: one.auc).name
        model = train(best, corpus, seed)
    scores = {one.name: one.to_json() for one in found}
    command = _again(game, sources, out, about, classifier, blocks, seed)
    model = told(model, command=command, compared=scores)
    out = task.write(packed(model, corpus), model.about)
    if picture is not None:
        _plot(picture.part, corpus, found)
        picture.place()
    if json:
        compared = {"left_out": corpus.left_out, "compared": list(scores.values())}
        print_json({**model.about, "game": game, **compared})
        return
    if found:
        console().print(_quality_table(found))
    _close_learn(corpus, best, out)


def _files(source: str) -> list[str]:
    """The files of records that a folder has; anything else as it is. SpecError: it has none."""
    from facedown.core import SpecError

    if not os.path.isdir(source):
        return [source]
    found = sorted(str(file) for file in Path(source).glob("*.jsonl"))
    if not found:
        raise SpecError(f"{source} has no files of records (*.jsonl)")
    return found


@dataclass(frozen=True)
class Task:
    """What is to be learnt, from what, and where it goes: a file, and the store."""

    game: str
    about: str
    sources: list[str]
    place: NewFile
    store: str | None
    seed: int
    of: str | None = None

    def __post_init__(self) -> None:
        """A store that cannot be used is told before anything is learnt."""
        from facedown.store.store import Store

        Store(self.store).close()

    def again(self, seed: int | None) -> str:
        """The command that learns the same."""
        given = self.game, self.sources, self.place.given, self.about
        return _again(*given, None, None, seed, self.of)

    def write(self, content: str | bytes, about: Mapping[str, Any]) -> Path:
        """Write what was learnt, and keep it as a run of its own; where the file is now."""
        from facedown.store.models import Model, keep_model
        from facedown.store.store import Store

        out = self.place.write(content)
        data = content.encode() if isinstance(content, str) else content
        sources = [os.path.basename(source) for source in self.sources]
        settings: dict[str, Any] = {"game": self.game, "about": self.about, "from": sources}
        settings |= {} if self.of is None else {"of": self.of}
        name = f"{self.game}, {self.about} from {' and '.join(sources)}"
        with Store(self.store) as opened:
            keep_model(opened, name, settings, self.seed, Model(out.name, about, data))
        return out


def _kind(about: str) -> About:
    """What is to be predicted; SpecError lists what there is."""
    from facedown.belief.predictor import ABOUT
    from facedown.core import SpecError

    for known in ABOUT:
        if about == known:
            return known
    there_is = ", ".join((*ABOUT, PREFERENCES, MOVES))
    raise SpecError(f"about is {about!r}; {there_is} or {MINDS} is wanted")


def _no_comparison(
    about: str, classifier: str | None, blocks: int | None, plot: Path | None
) -> None:
    """SpecError for what has no meaning where no classifiers are compared."""
    from facedown.core import SpecError

    told = (
        "preferences are counted" if about == PREFERENCES else f"{about} have one kind of network"
    )
    for name, given in (("classifier", classifier), ("blocks", blocks), ("plot", plot)):
        if given is not None:
            raise SpecError(f"--{name} is for models; {told}")


def _check_of(of: str | None, about: str) -> None:
    """SpecError where a single agent's choices cannot be told apart."""
    from facedown.core import SpecError

    if of is not None and about not in (PREFERENCES, MOVES):
        raise SpecError(f"--of is for {PREFERENCES} and {MOVES}; {about} are learnt from all")


def _source_of_minds(sources: list[str]) -> tuple[str, int]:
    """What minds are to be learnt from, and how much of it; SpecError for other sources."""
    from facedown.core import SpecError

    name, _, number = sources[0].partition(":")
    if len(sources) > 1 or name not in ENOUGH or not (number or "1").isdecimal():
        known = f"{STRANGERS}[:GAMES], {LESSONS}[:ROUNDS] or {THEMSELVES}[:ROUNDS]"
        raise SpecError(f"--from {' '.join(sources)}: minds are learnt from {known}")
    return name, int(number or ENOUGH[name])


def _learn_minds(task: Task, json: bool) -> None:
    """Have strangers play, learn how each family does, and write the file."""
    from facedown.commands.screen import console, notes, print_json, remark, table
    from facedown.core import SpecError
    from facedown.games.registry import load_game
    from facedown.learn.minds import CROWD, crowd_of, learn
    from facedown.learn.schooling import winning

    name, number = _source_of_minds(task.sources)
    if load_game(task.game).spec != "resistance":
        raise SpecError(f"minds are learnt for resistance, not {task.game}")
    if name != STRANGERS:
        _school_minds(task, name == LESSONS, number, json)
        return
    with notes(only=True) as progress:
        learnt = learn(number, task.seed, progress=lambda *done: progress.step("families", *done))
        school = learnt.nets[CROWD], max(1, number // GAMES_A_ROUND), task.seed
        own, won = winning(*school, progress=lambda *done: progress.step("rounds", *done))
    about = {"games": number, "command": task.again(task.seed), "own won (resistance, spy)": won}
    crowd = crowd_of(learnt, about, own)
    out = task.write(crowd.packed(), crowd.about)
    if json:
        print_json({"game": task.game, "out": str(out), **crowd.about})
        return
    shown = table("family", "own network", "the crowd's", "every move alike", right=(1, 2, 3))
    for family, scores in learnt.foretold.items():
        shown.add_row(family, *(f"{score:.3f}" for score in scores))
    console().print(shown)
    remark(f"mean log scores of held-out choices; {len(crowd.nets)} kinds of players are in {out}")


def _school_minds(task: Task, alone: bool, rounds: int, json: bool) -> None:
    """Have networks learn by playing, and write the file."""
    from facedown.commands.screen import console, notes, print_json, remark, table
    from facedown.games.resistance.crowd import Crowd
    from facedown.learn.schooling import pupils

    with notes(only=True) as progress:
        found, won = pupils(rounds, task.seed, alone, lambda *done: progress.step("rounds", *done))
    about = {"rounds": rounds, "command": task.again(task.seed), "won": won}
    out = task.write(Crowd(found.nets, about).packed(), about)
    if json:
        print_json({"game": task.game, "out": str(out), **about})
        return
    shown = table("network", "won as one of the resistance", "as a spy", right=(1, 2))
    for name, shares in won.items():
        shown.add_row(name, *(f"{share:.1%}" for share in shares))
    console().print(shown)
    remark(f"games of the last rounds before each was taken; {len(won)} are in {out}")


def _learn_preferences(task: Task, json: bool) -> None:
    """Count kinds of moves, write the file, and show equation 1."""
    from dataclasses import replace

    from facedown.commands.screen import console, notes, print_json, remark, table
    from facedown.games.registry import load_game
    from facedown.learn.preferences import learnt

    with notes(only=True):
        found = learnt(load_game(task.game), task.sources, task.store, task.of)
    found = replace(found, about={**found.about, "command": task.again(None)})
    out = task.write(found.packed(), found.about)
    rates = dict(zip(found.kinds, found.unconditioned(), strict=True))
    if json:
        told = {"decisions": found.decisions, "sets": len(found.sets), "chosen of legal": rates}
        print_json({"game": found.game, "about": dict(found.about), **told})
        return
    shown = table("kind", "chosen of the times it was legal", right=(1,))
    for name, rate in rates.items():
        if rate is not None:
            shown.add_row(name, f"{rate:.1%}")
    console().print(shown)
    remark(f"{found.decisions} decisions, {len(found.sets)} sets of legal kinds, are in {out}")


def _learn_moves(task: Task, json: bool) -> None:
    """Train a network on which moves were chosen, write the file, and show what it foretells."""
    from dataclasses import replace

    from facedown.commands.screen import console, notes, print_json, remark, table
    from facedown.games.registry import load_game
    from facedown.learn.moves import compared, read_choices, train

    loaded, seed = load_game(task.game), task.seed
    with notes(only=True) as progress:
        progress.step("reading games", 0, 1)
        choices = read_choices(loaded, task.sources, task.store, seed, task.of)

        def tell(done: int, all_: int) -> None:
            progress.step(f"round {done} of at most {all_}", done, all_)

        network = train(loaded, choices, seed, progress=tell)
    found = compared(loaded, choices, network)
    about = {
        "from": "recorded games",
        "games": choices.games,
        "agents": choices.agents,
        "left out": choices.left_out,
        "decisions": len(choices.learnt),
        **({} if choices.agent is None else {"of": choices.agent}),
        "foretold": {one.name: one.to_json() for one in found},
        "command": task.again(seed),
    }
    out = task.write(replace(network, about=about).packed(), about)
    if json:
        print_json({"game": task.game, "about": about})
        return
    shown = table("choices foretold by", "log score", "first guess", right=(1, 2))
    for one in found:
        shown.add_row(one.name, f"{one.log_score:.3f}", f"{one.first:.1%}")
    console().print(shown)
    tested = f"{len(choices.tested)} decisions of games that it never saw"
    remark(f"the network, of {len(choices.learnt)} decisions, tried on {tested}, is in {out}")


def _places(
    sources: list[str], out: Path, plot: Path | None, overwrite: bool
) -> tuple[NewFile, NewFile | None]:
    """Where model and curves go; SpecError where nothing can be written, or something is read."""
    from facedown.core import SpecError
    from facedown.core.files import NewFile

    taken = {os.path.realpath(source): "the records to learn from" for source in sources}
    for place, what in ((out, "the model"), (plot, "the ROC curves")):
        if place is None:
            continue
        real = os.path.realpath(place)
        if real in taken:
            raise SpecError(f"{place} would get {what}, but has {taken[real]}")
        taken[real] = what
    picture = None if plot is None else NewFile(plot, overwrite=overwrite)
    return NewFile(out, overwrite=overwrite), picture


def _check_choice(classifier: str | None, blocks: int, plot: Path | None) -> None:
    from facedown.core import SpecError
    from facedown.learn.models import CLASSIFIERS

    if classifier is not None and classifier not in CLASSIFIERS:
        raise SpecError(f"no classifier {classifier!r}; classifiers: {', '.join(CLASSIFIERS)}")
    if blocks < 0:
        raise SpecError(f"blocks is {blocks}; at least 0 is wanted")
    if blocks == 0 and (classifier is None or plot is not None):
        raise SpecError("blocks is 0, so nothing is compared: --classifier is wanted, no --plot")


def _compared(names: Any, corpus: Corpus, blocks: int, seed: int, step: Any) -> list[Quality]:
    """All classifiers by the paper's cross-validation."""
    from facedown.learn.models import cross_validate, quality

    found = []
    for name in names:

        def tell(done: int, all_: int, name: str = name) -> None:
            step(f"{name}: fold {done} of {all_}", done, all_)

        found.append(quality(name, corpus, cross_validate(name, corpus, blocks, seed, tell), seed))
    return found


def _quality_table(found: list[Quality]) -> object:
    from facedown.commands.screen import table

    shown = table("classifier", "AUC (95 %)", "TPR", "TNR", "G-mean", right=(1, 2, 3, 4))
    for one in found:
        area = f"[bold]{one.auc:.3f}[/] ({one.low:.3f}–{one.high:.3f})"
        shown.add_row(one.name, area, f"{one.tpr:.1%}", f"{one.tnr:.1%}", f"{one.g_mean:.1%}")
    return shown


def _close_learn(corpus: Corpus, best: str, out: Path) -> None:
    from facedown.commands.screen import remark

    positive, pairs = int(corpus.positive.sum()), len(corpus.pairs)
    other, predicted = corpus.features.words
    remark(
        f"{len(corpus)} actions of {corpus.kind} in {pairs} pairs: {positive} {predicted}, "
        f"{len(corpus) - positive} {other}"
    )
    for reason, count in corpus.left_out.items():
        remark(f"{count} games left out: {reason}", "yellow")
    remark(f"{best}, trained on all of them, is in {out}")


def _again(
    game: str,
    sources: list[str],
    out: Path,
    about: str,
    classifier: str | None,
    blocks: int | None,
    seed: int | None,
    of: str | None = None,
) -> str:
    """The command that learns the same."""
    import shlex

    words = ["facedown", "learn", game] + ([] if about == "secrets" else ["--about", about])
    for source in sources:
        words += ["--from", Path(source).name]
    words += ["--out", out.name] + ([] if classifier is None else ["--classifier", classifier])
    words += [] if blocks is None else ["--blocks", str(blocks)]
    words += [] if of is None else ["--of", of]
    return shlex.join(words + ([] if seed is None else ["--seed", str(seed)]))


def _plot(file: Path, corpus: Corpus, found: list[Quality]) -> None:
    """The ROC curves of all classifiers."""
    from facedown.papers.bitan2017.lies import PUBLISHED
    from facedown.papers.plots import Axes, curves

    lines = [
        (f"{one.name}, AUC {one.auc:.3f}", one.curve[0].tolist(), one.curve[1].tolist())
        for one in found
    ]
    other, predicted = corpus.features.words
    axes = Axes(
        f"Telling {predicted} from {other} in {corpus.game}",
        f"{len(corpus):,} actions of {corpus.kind}, {len(corpus.pairs)} pairs",
        f"{other} taken for {predicted}",
        f"{predicted} recognised",
    )
    named = corpus.game.partition(":")[0] == "cheat" and corpus.about == "secrets"
    curves(file, lines, axes, published=PUBLISHED if named else None)
