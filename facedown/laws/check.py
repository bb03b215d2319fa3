"""`check_game`: try a game against every law and say which is broken, where, with which seed."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection

from facedown.core import Game, RuleError, SpecError
from facedown.laws import (
    agreement,
    enumeration,
    foundation,
    listed,
    meaning,
    memory,
    moves,
    supposed,
    views,
    worlds,
)
from facedown.laws.findings import Finding, Findings, Status, Violation
from facedown.laws.lab import DivergedError, Lab, OutOfTimeError, SkippedError
from facedown.laws.law import Law
from facedown.laws.stories import explained

Progress = Callable[[str, int, int], None]

MOST_VIOLATIONS = 3
"""A law's first few violations are told; more of them say no more."""

_GATHERING = 0.15  # the share of the clock in which the random games are played

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
    games: int = 50,
    seconds: float | None = 60.0,
    progress: Progress | None = None,
    only: Collection[str] = (),
) -> Findings:
    """Fuzz a game against the laws of the contract.

    `load` makes the game; it is called several times, for a game must not depend on which of its
    objects is played. `games` random games are played, of the seeds `seed`, `seed + 1`, ...; the
    whole takes about `seconds` at most (None: as long as it takes). `progress(law, done, total)` is
    called before each law. `only` names the laws to try, with those that they need; all, if it is
    empty. A broken game makes findings, never an exception; only a SpecError of
    `load` passes through.

    >>> from facedown.games.registry import load_game
    >>> check_game(lambda: load_game("kuhn"), games=5).ok
    True
    """
    began = time.monotonic()
    deadline = began + (seconds if seconds is not None else float("inf"))
    try:
        game = load()
    except SpecError:
        raise
    except Exception as error:
        broken = Violation(RULES_RUN[0], explained(error).what, seed)
        finding = Finding(*RULES_RUN, "broken", 0, (broken,))
        return Findings("", seed, games, time.monotonic() - began, (finding,))
    lab = Lab(load, game, seed, games)
    found = _check(lab, deadline, progress, _selected(only))
    return Findings(game.spec, seed, len(lab.stories), time.monotonic() - began, found)


def _selected(only: Collection[str]) -> tuple[Law, ...]:
    """The laws by these names and those that they need; all, where no name is given."""
    known = {law.name: law for law in LAWS}
    unknown = [name for name in only if name not in known]
    if unknown:
        raise SpecError(f"no law {unknown[0]!r}; laws: {', '.join(known)}")
    wanted = {need for name in only for need in known[name].needs}
    return tuple(law for law in LAWS if not only or law.name in wanted or law.name in only)


def _check(
    lab: Lab, deadline: float, progress: Progress | None, laws: tuple[Law, ...]
) -> tuple[Finding, ...]:
    process = None
    if agreement.uncompiled in laws:
        process = agreement.start_uncompiled(lab.game, lab.seed, lab.games)
    try:
        lab.memo("uncompiled", lambda: process)
        lab.gather(time.monotonic() + _GATHERING * (deadline - time.monotonic()))
        raised = [_story_error(lab, error) for s in lab.stories if (error := s.error) is not None]
        found: dict[str, Finding] = {}
        for k, law in enumerate(laws):
            if progress is not None:
                progress(law.name, k, len(laws))
            share = (deadline - time.monotonic()) / (len(laws) - k)
            lab.begin(law.name, time.monotonic() + max(0.1, share))
            found[law.name] = _try(lab, law, found, raised)
    finally:
        if process is not None:
            process.close()
    return (_rules_run(found, raised), *found.values())


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
