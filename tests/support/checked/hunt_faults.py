"""Faults planted in the compiled game of hidden movement."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from facedown.core import jit, mix
from support.checked import hunt
from support.checked.hunt import (
    CELLS,
    HIDDEN,
    LISTEN,
    ROUNDS,
    SHOWN,
    Hunt,
    drawn,
    filtered,
    step,
    with_rules,
)

_hide, _sees = jit(hunt.hide), jit(hunt.sees)
_legal, _payoff = jit(hunt.legal), jit(hunt.payoff)


def hide_but_the_start(s: Any, viewer: int) -> None:
    at = s["trail"][0]
    _hide(s, viewer)
    if s["acts"] == ROUNDS:
        s["trail"][0] = at


class StartShowsAtTheEnd(Hunt):
    """Where the fugitive started is visible once it has got away, though nobody was told."""

    rules: ClassVar = with_rules(hide=hide_but_the_start)


def hide_but_a_sitter(s: Any, viewer: int) -> None:
    sits = s["moved"] == 4
    for k in range(s["moved"] + 1):
        sits = sits and s["trail"][k] == 15
    at = s["trail"][4]
    _hide(s, viewer)
    if sits:
        s["trail"][4] = at


class SitterShows(Hunt):
    """RARE: a fugitive who stays in the last corner for four moves is visible."""

    rules: ClassVar = with_rules(hide=hide_but_a_sitter)


def hears_too_well(s: Any, move: int, viewer: int) -> int:
    if move == LISTEN and s["trail"][s["moved"]] == s["path"][s["acts"]] - 1:
        return 202
    return _sees(s, move, viewer)


class HearsTheDirection(Hunt):
    """Who listens is told if the noise comes from the left; the view does not show it."""

    rules: ClassVar = with_rules(sees=hears_too_well)


def deaf_determinize(s: Any, viewer: int, rng: int) -> None:
    if viewer == 0 or s["moved"] < 0:
        return
    odds = np.zeros((ROUNDS + 1, CELLS))
    heard = s["heard"].copy()
    for k in range(ROUNDS):
        if heard[k] == 0:
            s["heard"][k] = HIDDEN
    filtered(s, odds)
    s["heard"][:] = heard
    last = s["moved"]
    s["trail"][last] = drawn(odds[last], rng)
    for k in range(last, 0, -1):
        before = np.zeros(CELLS)
        for cell in range(CELLS):
            before[cell] = odds[k - 1, cell] * step(s, k, cell, s["trail"][k])
        s["trail"][k - 1] = drawn(before, rng)


class DeafToSilence(Hunt):
    """That nothing was heard rules nothing out."""

    rules: ClassVar = with_rules(determinize=deaf_determinize)


def even_determinize(s: Any, viewer: int, rng: int) -> None:
    if viewer == 0 or s["moved"] < 0:
        return
    odds = np.zeros((ROUNDS + 1, CELLS))
    filtered(s, odds)
    last = s["moved"]
    s["trail"][last] = drawn(odds[last], rng)
    for k in range(last, 0, -1):
        before = np.zeros(CELLS)
        for cell in range(CELLS):
            reached = odds[k - 1, cell] > 0.0 and step(s, k, cell, s["trail"][k]) > 0.0
            before[cell] = 1.0 if reached else 0.0
        s["trail"][k - 1] = drawn(before, rng)


class EvenTrails(Hunt):
    """Of the ways that lead to a cell all are as likely."""

    rules: ClassVar = with_rules(determinize=even_determinize)


def tired_determinize(s: Any, viewer: int, rng: int) -> None:
    if viewer == 0 or s["moved"] < 0:
        return
    heard = s["heard"].copy()
    run = 0
    for k in range(s["acts"]):
        run = run + 1 if heard[k] == 1 else 0
        if run >= 4:
            s["heard"][k] = HIDDEN
    odds = np.zeros((ROUNDS + 1, CELLS))
    filtered(s, odds)
    s["heard"][:] = heard
    last = s["moved"]
    s["trail"][last] = drawn(odds[last], rng)
    for k in range(last, 0, -1):
        before = np.zeros(CELLS)
        for cell in range(CELLS):
            before[cell] = odds[k - 1, cell] * step(s, k, cell, s["trail"][k])
        s["trail"][k - 1] = drawn(before, rng)


class TiredOfHearing(Hunt):
    """RARE: what was heard for the fourth time in a row is forgotten."""

    rules: ClassVar = with_rules(determinize=tired_determinize)


def sees_the_last_step(s: Any, move: int, viewer: int) -> int:
    at_last = s["moved"] == 5 and s["path"][5] == 10
    if move == 15 and at_last and s["trail"][5] == 15:
        return move + 1
    return _sees(s, move, viewer)


class LastStaySeen(Hunt):
    """RARE: the hunter in cell 10 is told that the fugitive stays in the last corner at last."""

    rules: ClassVar = with_rules(sees=sees_the_last_step)


def legal_by_hearing(s: Any, moves: Any) -> int:
    n = _legal(s, moves)
    if s["moved"] > s["acts"] and s["acts"] == 5 and s["path"][5] == 10 and s["trail"][6] == 0:
        return n - 1
    return n


class NothingToHear(Hunt):
    """RARE: the hunter in cell 10 may not listen at last if the fugitive is in the far corner."""

    rules: ClassVar = with_rules(legal=legal_by_hearing)


def double_payoff(s: Any, pay: Any) -> None:
    _payoff(s, pay)
    if s["caught"] == 1 and s["acts"] == ROUNDS and s["path"][ROUNDS] == 12:
        pay[1] = 2.0


class LastCatchPaysTwice(Hunt):
    """RARE: a catch in a corner with the last act pays beyond the bounds."""

    rules: ClassVar = with_rules(payoff=double_payoff)


def deaf_infoset(s: Any, viewer: int) -> int:
    key = mix(int(s["moved"]) + 2, int(s["acts"]) + 1)
    for k in range(ROUNDS + 1):
        shown = viewer == 0 or k == SHOWN or (s["caught"] == 1 and k == s["moved"])
        key = mix(key, int(s["trail"][k]) + 2 if shown else 1)
        key = mix(key, int(s["path"][k]) + 2)
    return key  # type: ignore[no-any-return]


class KeyWithoutSound(Hunt):
    """The key does not tell what was heard."""

    rules: ClassVar = with_rules(infoset=deaf_infoset)


COMPILED: tuple[type[Hunt], ...] = (
    StartShowsAtTheEnd,
    SitterShows,
    HearsTheDirection,
    DeafToSilence,
    EvenTrails,
    TiredOfHearing,
    LastStaySeen,
    NothingToHear,
    LastCatchPaysTwice,
    KeyWithoutSound,
)
