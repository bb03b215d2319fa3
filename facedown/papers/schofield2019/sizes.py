"""Every game that has sizes, the cost at equal performance (7.5), and known policies (3.4)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from facedown.arena.statistics import clustered_mean, t_interval
from facedown.papers.cells import Cell, CellResult
from facedown.papers.paper import Found, Page, RunBudget
from facedown.papers.schofield2019.games import PAPER, WEAK, game_text
from facedown.papers.schofield2019.value import average, hp, hp_ii, mean_text, scored, told_of
from facedown.papers.tables import interval, percent, table

# --- sizes ----------------------------------------------------------------------------------------

_FAMILIES = (
    ("krieg-tic-tac-toe-3x3", "krieg-tic-tac-toe-4x4", "krieg-tic-tac-toe-5x5"),
    ("blind-breakthrough-5x5", "blind-breakthrough-6x6", "blind-breakthrough-8x8"),
)
_SIZES = tuple(game for family in _FAMILIES for game in family)
_LADDER, _NESTED = (hp(1), hp(2), hp(4)), hp_ii(1)
_KEYS = [(game, spec) for game in _SIZES for spec in (*_LADDER, _NESTED)]
_TOGETHER = 2  # games of a deal


@dataclass(frozen=True)
class _Level:
    """What a player gets against the same weak one, and at which cost."""

    payoffs: Sequence[float]
    states: float

    @classmethod
    def of(cls, outcome: CellResult, spec: str) -> _Level:
        told = told_of(outcome.numbers["agents"], spec)
        return cls(told["payoffs"], average(told["states"]))

    @property
    def bounds(self) -> tuple[float, float]:
        """The mean payoff's 95 % interval over deals; all there can be, of fewer than two."""
        if len(self.payoffs) <= _TOGETHER:
            return 0.0, 100.0
        deals = [self.payoffs[k : k + _TOGETHER] for k in range(0, len(self.payoffs), _TOGETHER)]
        mean = clustered_mean([sum(deal) for deal in deals], [len(deal) for deal in deals])
        return t_interval(mean) if mean.spread else (mean.value, mean.value)


def _cells(budget: RunBudget) -> list[Cell]:
    return [
        Cell(f"{game}, {spec}", game, (spec, WEAK), budget.games, budget.seed, measure=scored)
        for game, spec in _KEYS
    ]


@PAPER.exhibit(
    "sizes", "up-sizing in every game that has sizes, and the cost at equal performance", _cells,
    games=20, iterations=None, quick=2,
)  # fmt: skip
def sizes(run: Found) -> Page:
    """States that HyperPlay and HyperPlay-II visit against the same player, on larger boards."""
    levels = {key: _Level.of(one, key[1]) for key, one in run.by(_KEYS).items()}
    rows, grown = [], []
    for family in _FAMILIES:
        before: Mapping[str, float] = {}
        for game in family:
            now = {spec: levels[game, spec].states for spec in (*_LADDER, _NESTED)}
            for spec, states in now.items():
                times = f"{states / before[spec]:,.1f}" if before.get(spec) else ""
                got = mean_text(levels[game, spec].payoffs, _TOGETHER)
                rows.append([game_text(game), f"`{spec}`", got, f"{states:,.0f}", times])
            grown.append([game_text(game), *_equal(levels, game)])
            before = now
    words = (
        f"Every player against `{WEAK}`, each deal in both seats: mean payoffs with 95 % "
        "intervals over deals, states visited in a game, and how many times as many as on the "
        "board before."
    )
    more = (
        f"At equal performance: the cheapest of these HyperPlays whose mean is at least that of "
        f"`{_NESTED}`, and how many times as many states HyperPlay-II visits. It *may be* equal "
        "where their intervals overlap: these games do not tell one from the other."
    )
    head = ["game", "player", "gets", "visits", "times as many"]
    costs = ["game", "HyperPlay as good", "visits", "HyperPlay-II visits", "times", "intervals"]
    return Page.of(words, table(head, rows, left=2), more, table(costs, grown, left=2))


def _equal(levels: Mapping[tuple[str, str], _Level], game: str) -> list[str]:
    """The cheapest HyperPlay as good as HyperPlay-II, its states and those of HyperPlay-II."""
    nested = levels[game, _NESTED]
    there = [levels[game, spec] for spec in _LADDER]
    good = [one for one in there if average(one.payoffs) >= average(nested.payoffs)]
    if not good:
        return ["none of these", "", f"{nested.states:,.0f}", "", ""]
    one = min(good, key=lambda level: level.states)
    apart = one.bounds[0] > nested.bounds[1]
    times = f"{nested.states / one.states:,.0f}" if one.states else ""
    spec = _LADDER[there.index(one)]
    return [f"`{spec}`", f"{one.states:,.0f}", f"{nested.states:,.0f}", times,
            "apart: it gets more" if apart else "overlap: may be equal"]  # fmt: skip


# --- known policies of other roles ----------------------------------------------------------------

_POLICIES = "cribbage"
_BAG = "hyperplay:models=20,samples=2"
_KNOWING, _PLAIN = f"{_BAG},policies=true", _BAG
_MET = [(_KNOWING, "scripted"), (_PLAIN, "scripted"), (_KNOWING, _PLAIN)]


@PAPER.exhibit(
    "policies", "known policies of the other roles",
    lambda budget: [
        Cell(f"{one} against {other}", _POLICIES, (one, other), budget.games, budget.seed)
        for one, other in _MET
    ],
    games=100, iterations=None, quick=10,
)  # fmt: skip
def policies(run: Found) -> Page:
    """Models in which others play as they are known to, where the paper has a policy for a role."""
    rows = [
        [f"`{one}`", f"`{other}`", f"{found.first.wins:,} of {found.first.games:,}",
         percent(found.first.win_rate), interval(found.first)]
        for (one, other), found in run.by(_MET).items()
    ]  # fmt: skip
    words = (
        "`policies=true` has the models of a bag follow the other's policy, as the game's rule "
        "`prior` says it, in what they play and what they weigh (section 3.4); else all "
        "moves are as likely. The game is Cribbage, since no rule file has a policy to know. Each "
        "deal is played in both seats."
    )
    head = ["player", "against", "wins", "share", "95 % interval"]
    return Page.of(words, table(head, rows, left=2))
