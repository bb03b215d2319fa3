"""`check_game`: try a game against every law and say which is broken, where, with which seed."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import replace

from facedown.arena.clock import Overrun
from facedown.belief.hyperplay import prepare
from facedown.core import Game, RuleError, SpecError
from facedown.laws import (
    agreement,
    enumeration,
    foundation,
    judged,
    listed,
    meaning,
    memory,
    moves,
    supposed,
    views,
    worlds,
)
from facedown.laws.alarm import HangingError, ended
from facedown.laws.clock import now
from facedown.laws.covered import covered
from facedown.laws.findings import Coverage, Finding, Findings, Status, Violation
from facedown.laws.lab import DivergedError, Lab, OutOfTimeError, SkippedError
from facedown.laws.law import FOUNDATION, Law
from facedown.laws.scan import Scan
from facedown.laws.stories import explained
from facedown.laws.watched import Progress, grace, watched

MOST_VIOLATIONS = 3
"""A law's first few violations are told; more of them say no more."""

SECONDS = 60.0
"""How long a check takes unless it is told otherwise."""

_GAMES = 20  # random games that every law is tried on before the check looks further
_FIRST = 0.2  # the share of the clock for that
_GATHERING = 0.15  # the share of it in which the random games are played

RULES_RUN = ("rules-run", "No rule raises, whoever asks, wherever the contract lets him.")

LAWS: tuple[Law, ...] = (
    foundation.same_start,
    foundation.same_game,
    foundation.ctx_unchanged,
    moves.legal_moves,
    foundation.rules_deterministic,
    foundation.questions,
    foundation.copies,
    moves.weights,
    moves.draw,
    moves.ends,
    moves.payoffs,
    moves.horizon,
    views.unseen_moves,
    views.equal_observations,
    views.views_sent,
    views.tokens_shown,
    views.next_views,
    views.hide_twice,
    views.infoset,
    views.turn_on_views,
    views.legal_on_views,
    moves.own_token,
    moves.all_tokens,
    meaning.move_meaning,
    moves.move_text,
    moves.view_text,
    worlds.worlds_keep_view,
    worlds.worlds_playable,
    worlds.worlds_from_view,
    worlds.worlds_not_truth,
    listed.worlds_listed,
    listed.worlds_weights,
    supposed.labels_supposed,
    supposed.labels_frequencies,
    enumeration.worlds_possible,
    enumeration.worlds_frequencies,
    judged.worlds_modelled,
    memory.memos,
    memory.traits,
    memory.kinds,
    agreement.uncompiled,
)
"""Every law, in the order in which they are tried; what others need comes first."""


def check_game(
    load: Callable[[], Game],
    *,
    seed: int = 0,
    games: int | None = None,
    seconds: float | None = SECONDS,
    progress: Progress | None = None,
    only: Collection[str] = (),
) -> Findings:
    """Fuzz a game against the laws of the contract.

    `load` makes the game; it is called several times, for a game must not depend on which of its
    objects is played. Every law is tried on some random games, of the seeds `seed`, `seed + 1`...;
    then the check goes on looking where random play rarely comes, until `seconds` are over, which
    begin when the game is loaded and compiled. A broken game is let off after twice the time that
    it took to find out. With `games` it looks at so many random games and no further, whatever
    time is left: the same then gives the same; without `seconds` it does so for 20 games.
    `progress(law, done, total)` is called before each law. `only` names the laws to try, with those
    that they need; all, if it is empty. A broken game makes findings, never an exception; only a
    SpecError of `load` passes through. A rule that never returns is ended by the clock.

    >>> from facedown.games.registry import load_game
    >>> check_game(lambda: load_game("kuhn"), games=5).ok
    True
    """
    laws = _selected(only)
    try:
        game = load()
    except SpecError:
        raise
    except Exception as error:
        broken = Violation(RULES_RUN[0], explained(error).what, seed)
        finding = Finding(*RULES_RUN, "broken", 0, (broken,))
        return Findings("", seed, 0, 0.0, (finding,))
    if game.has("determinize"):
        prepare()
    trial = Trial(load, game, seed, games, seconds, laws)
    return watched(trial.run, seconds, progress, trial.stuck)


class Trial:
    """One check of a loaded game."""

    def __init__(
        self,
        load: Callable[[], Game],
        game: Game,
        seed: int,
        games: int | None,
        seconds: float | None,
        laws: tuple[Law, ...],
    ) -> None:
        self.lab = Lab(load, game, seed, _GAMES if games is None else games)
        self.goes_on = games is None and seconds is not None
        self.seconds, self.laws = seconds, laws
        self.began = now()
        self.found: dict[str, Finding] = {}
        self.raised: list[Violation] = []
        self.scan: Scan | None = None

    def run(self, progress: Progress) -> Findings:
        """Try the laws one by one, then go on until the clock says so."""
        self.began = began = now()
        deadline = began + (self.seconds if self.seconds is not None else float("inf"))
        first = began + _FIRST * (deadline - began) if self.goes_on else deadline
        try:
            ended(grace(self.seconds), lambda: self._run(first, deadline, progress))
        except HangingError as hanging:
            what = f"a rule did not come back, long after the check's time: {hanging}"
            self.raised.append(Violation(RULES_RUN[0], what, self.lab.seed, self._last_moves()))
        except Overrun:
            pass  # what there was no time for is counted
        return self.findings()

    def _run(self, first: float, deadline: float, progress: Progress) -> None:
        process = None
        if agreement.uncompiled in self.laws:
            process = agreement.start_uncompiled(self.lab.game, self.lab.seed, self.lab.games)
        try:
            self.lab.memo("uncompiled", lambda: process)
            self._try_all(first, progress)
            if self.goes_on and not self._hopeless():
                self._scan(deadline, progress)
        finally:
            if process is not None:
                process.close()

    def _try_all(self, deadline: float, progress: Progress) -> None:
        lab = self.lab
        lab.gather(now() + _GATHERING * (deadline - now()))
        self.raised += [_story_error(lab, e) for s in lab.stories if (e := s.error) is not None]
        for k, law in enumerate(self.laws):
            progress(law.name, k, len(self.laws))
            share = (deadline - now()) / (len(self.laws) - k)
            lab.begin(law.name, now() + max(0.1, share))
            self.found[law.name] = _try(lab, law, self.found, self.raised)

    def _hopeless(self) -> bool:
        """Whether what others stand on is broken, so that more looking would only mislead."""
        return bool(self.raised) or any(
            self.found[name].status == "broken" for name in FOUNDATION if name in self.found
        )

    def _scan(self, deadline: float, progress: Progress) -> None:
        began, names = now(), {law.name for law in self.laws}
        scan = self.scan = Scan(self.lab, names, self.began)
        broken = any(finding.status == "broken" for finding in self.found.values())
        until = min(deadline, began + (began - self.began)) if broken else deadline

        def tick() -> None:
            share = (now() - began) / max(1e-9, until - began)
            progress("looking further", min(99, int(100 * share)), 100)

        scan.run(until, tick)
        self.raised += scan.raised
        for law in self.laws:
            if more := scan.found.get(law.name):
                known = self.found[law.name]
                shown = (*known.violations, *more)[:MOST_VIOLATIONS]
                self.found[law.name] = replace(known, status="broken", violations=shown)

    def findings(self) -> Findings:
        """What was found by now."""
        took = now() - self.began
        tried = (self.found.get(law.name) or _untried(law) for law in self.laws)
        laws = (_rules_run(self.found, self.raised), *tried)
        lab = self.lab
        return Findings(lab.game.spec, lab.seed, len(lab.stories), took, laws, self._coverage())

    def _coverage(self) -> Coverage:
        return covered(self.lab, self.scan, self.found, self.laws)

    def stuck(self, law: str, seconds: float) -> Findings:
        """What to say where the process of a check had to be killed, in the middle of this."""
        what = (
            f"a rule did not come back within the check's time, {seconds:.0f} s, while trying {law}"
        )
        self.raised.append(Violation(RULES_RUN[0], what, self.lab.seed))
        return self.findings()

    def _last_moves(self) -> tuple[str, ...]:
        if self.scan is not None:
            return self.lab.names(self.scan.moves)
        return self.lab.names(self.lab.moves(self.lab.here))


def _untried(law: Law) -> Finding:
    return Finding(law.name, law.statement, "skipped", note="there was no time for it")


def _selected(only: Collection[str]) -> tuple[Law, ...]:
    """The laws by these names and those that they need; all, where no name is given."""
    known = {law.name: law for law in LAWS}
    unknown = [name for name in only if name not in known]
    if unknown:
        raise SpecError(f"no law {unknown[0]!r}; laws: {', '.join(known)}")
    wanted = {need for name in only for need in known[name].needs}
    return tuple(law for law in LAWS if not only or law.name in wanted or law.name in only)


def _story_error(lab: Lab, error: RuleError) -> Violation:
    seed = lab.seed if error.seed is None else error.seed
    return Violation(RULES_RUN[0], error.what, seed, error.moves)


def _try(lab: Lab, law: Law, found: dict[str, Finding], raised: list[Violation]) -> Finding:
    """Try one law; what a rule raises meanwhile is added to `raised`."""
    missing = [name for name in law.needs if found[name].status == "broken"]
    if missing:
        note = f"needs {missing[0]}, which is broken"
        return Finding(law.name, law.statement, "skipped", note=note)
    violations: list[Violation] = []
    note = ""
    try:
        for violation in law.check(lab):
            violations.append(violation)
            if len(violations) >= MOST_VIOLATIONS:
                break
    except SkippedError as reason:
        return Finding(law.name, law.statement, "skipped", note=str(reason))
    except OutOfTimeError:
        note = "stopped by the clock"
    except DivergedError:
        note = "a replay of the same moves went another way: see rules-deterministic"
    except Exception as error:
        raised.append(lab.raised(explained(error)))
        note = "cut short by a rule that raised: see rules-run"
    return _finding(lab, law, violations, note)


def _finding(lab: Lab, law: Law, violations: list[Violation], note: str) -> Finding:
    notes = "; ".join(filter(None, (note, lab.note)))
    stopped = bool(note) and not note.startswith("stopped")
    status: Status = "broken" if violations else "skipped" if stopped or not lab.cases else "held"
    if status == "skipped" and not notes:
        notes = "there was nothing to look at"
    shown = tuple(sorted(violations, key=lambda violation: len(violation.moves)))
    return Finding(law.name, law.statement, status, lab.cases, shown, notes)


def _rules_run(found: dict[str, Finding], raised: list[Violation]) -> Finding:
    """The law that is tried all along: no rule raises."""
    cases = sum(finding.cases for finding in found.values())
    shortest = sorted(raised, key=lambda found: (worlds.WORLD in found.moves, len(found.moves)))
    different = tuple({violation.what: violation for violation in reversed(shortest)}.values())
    shown = tuple(reversed(different))[:MOST_VIOLATIONS]
    return Finding(*RULES_RUN, "broken" if shown else "held", cases, shown)
