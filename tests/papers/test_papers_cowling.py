"""Cowling, Whitehouse and Powley 2015: every table and figure, effects, beliefs from records."""

import math
from dataclasses import replace
from functools import cache

import pytest

from facedown.agents.registry import check_agent
from facedown.arena.results import AgentResult
from facedown.arena.statistics import wilson
from facedown.core import CHANCE
from facedown.games.registry import load_game
from facedown.papers.archive import Archive
from facedown.papers.cowling2015.beliefs import EVERY, aligned, believed
from facedown.papers.lines import entry_of
from facedown.papers.paper import Found
from facedown.papers.produce import page_text
from facedown.papers.registry import load_paper
from facedown.papers.tables import Effect, Published, effects
from facedown.store.records import GameRecord, MoveRecord
from facedown.store.store import MEMORY, Store

PAPER = load_paper("cowling2015")
game = cache(load_game)


# --- tiny runs -----------------------------------------------------------------------------------


def sample(exhibit, store):
    """A run that plays its first and its last cell, which stands for all the others."""
    one = PAPER.exhibits[exhibit]
    budget = one.budget(2, 10, 1)
    wanted, archive = one.cells(budget), Archive(store)
    run = store.begin_run("paper", exhibit, {}, 1)
    first, last = (archive.play(cell, run, jobs=1) for cell in (wanted[0], wanted[-1]))
    rest = [replace(last, cell=cell) for cell in wanted[1:]]
    return one, Found(budget, [first, *rest])


@pytest.fixture
def store():
    with Store(MEMORY) as opened:
        yield opened


@pytest.mark.parametrize("exhibit", list(PAPER.exhibits))
def test_a_tiny_run_of(exhibit, tmp_path, store):
    one, found = sample(exhibit, store)
    page = one.page(found)
    text = page_text(PAPER, one, found, page)
    assert "Budget: 2 games a cell, 10 iterations a move; seed 1" in text
    if page.draw is not None:
        page.draw(tmp_path / "it.png")
        assert (tmp_path / "it.png").stat().st_size > 3_000


def cells_of(exhibit):
    one = PAPER.exhibits[exhibit]
    return {cell.name: cell.agents for cell in one.cells(one.budget(None, None, 1))}


def test_the_papers_budgets_are_the_usual_ones():
    figure_1 = cells_of("figure-1")
    assert len(figure_1) == 10
    assert figure_1["trueonly against none"] == (
        "spies=mt-ismcts:iterations=20000,self=trueonly",
        "resistance=mt-ismcts:iterations=20000,inference=none",
    )
    assert figure_1["bluff against particle"] == (
        "spies=mt-ismcts:iterations=40000,self=bluff",
        "resistance=mt-ismcts:iterations=20000,inference=particle",
    )
    swept = cells_of("figure-3")
    assert len(swept) == 4 * 8
    assert swept["split, 250 iterations"][0] == "spies=mt-ismcts:iterations=250,self=split"
    assert "pure, 50000 iterations" in swept


def test_the_share_of_the_first_phase_goes_from_none_to_all():
    spies = [spies for spies, _ in cells_of("figure-2").values()]
    shares = [one.partition(",split=")[2] for one in spies]
    assert [shares[k] for k in (0, 1, 2, 3, 5, 6, 7)] == [str(k / 8) for k in (0, 1, 2, 3, 5, 6, 7)]
    ours = cells_of("figure-1")  # where half and all of it are played, too
    assert spies[4] == ours["split against particle"][0]
    assert spies[8] == ours["pure against particle"][0]


def test_scripted_players_meet_both_in_every_seat():
    cells = cells_of("scripted")
    assert len(cells) == 16
    assert cells["logical as others against bluffer"] == ("spies=bluffer", "resistance=logical")
    ours = "resistance=mt-ismcts:iterations=20000,inference=particle"
    assert cells["MT-ISMCTS as others against bluffer"] == ("spies=bluffer", ours)
    for agents in cells.values():
        for spec in agents:
            check_agent(spec.partition("=")[2], game("resistance"))


def test_a_figure_keeps_the_lines_that_it_draws(store):
    _, found = sample("figure-5", store)
    plain = entry_of(found.outcomes[0])
    assert plain["settings"]["measure"] == "facedown.papers.cowling2015.beliefs.believed"
    lines, spies = plain["numbers"]["lines"], plain["result"]["agents"][0]
    assert [line["missions"][0][0] for line in lines] == [0.1667, 0.1667]
    assert sum(line["won"] == "spies" for line in lines) == spies["wins"]


# --- effects -------------------------------------------------------------------------------------


def agent(wins, games):
    low, high = wilson(wins / games, games)
    return AgentResult(
        "random", wins, 0, games, wins / games, low, high, 0.5, None, 1.0, False, {}, "spies"
    )


def test_an_effect_has_the_interval_of_a_difference():
    """Newcombe's (1998) example, 56 of 70 against 48 of 80: 0.2, from 0.0524 to 0.3339."""
    stated = Published.point(0.317, "VII-A")
    effect = Effect.between("one over two", agent(56, 70), agent(48, 80), stated)
    assert effect.gain == pytest.approx(0.2)
    assert (effect.low, effect.high) == pytest.approx((0.0524, 0.3339), abs=5e-5)
    assert effect.times == pytest.approx(4 / 3)
    row = "| one over two | **+20.0** | +5.2 to +33.4 | 1.33 | +31.7 (VII-A) | within |"
    assert effects([effect]).splitlines()[-1] == row


@pytest.mark.parametrize(("stated", "place"), [(-0.664, "below"), (-0.2, "within"), (0.1, "above")])
def test_where_a_published_effect_lies(stated, place):
    effect = Effect.between("lost", agent(48, 80), agent(56, 70), Published.point(stated, ""))
    assert effect.row[-1] == place


def test_an_effect_without_numbers():
    effect = Effect.between("won at all", agent(5, 10), agent(0, 10), words="more (VII-B)")
    assert effect.times is None
    assert effect.row[3:] == ["", "more (VII-B)", ""]


# --- beliefs from records ------------------------------------------------------------------------


def record_of(moves, shares, number=0):
    """A game of five, and the share of the truth at each player's decisions, in their order.

    Every decision has a belief, the spies' too, who know.
    """
    g, shares = game("resistance"), {player: iter(some) for player, some in shares.items()}
    position, played = g.start(), []
    for text in moves:
        player = position.turn()
        move, summary = g.parse_move(text, position.legal()), None
        if player == CHANCE:
            truth = position.legal().index(move)
        else:
            share = next(shares[player]) if player in shares else 1.0
            rest = (1 - share) / 9
            summary = {"belief": [share if k == truth else rest for k in range(10)]}
        played.append(MoveRecord(player, move, text, 0.0, summary))
        position.apply(move)
    return GameRecord(
        "resistance", 1, number, number, 1, 0, ("mt-ismcts",) * 5, (False,) * 5, tuple(played),
        tuple(position.payoff()),
    )  # fmt: skip


FOR, AGAINST = ["approve"] * 5, ["reject"] * 5
WON = [
    "spies 0 1",
    *("team 2 3", *FOR, "success", "success"),
    *("team 0 1 2", *AGAINST, "team 2 3 4", *FOR, "success", "success", "success"),
    *("team 2 3", *FOR, "success", "success"),
]
SHARES = {
    2: [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8],
    3: [0.2, 0.2, 0.2, 0.2, 0.2, 0.3, 0.3, 0.3],
    4: [0.5, 0.5, 0.5, 0.5, 0.5],
}


def test_lines_are_aligned_by_missions():
    """Player 2 votes and plays in mission 1; votes, leads, votes and plays in 2; as 1 in 3."""
    (line,) = believed([record_of(WON, SHARES)])["lines"]
    assert line == {"won": "resistance", "missions": [[0.1, 0.2], [0.3, 0.4, 0.5, 0.6], [0.7, 0.8]]}
    places = [x for x, _ in aligned(line["missions"])]
    assert places == [1, 1.5, 2, 2.25, 2.5, 2.75, 3, 3.5]


def test_whose_line_it_is_goes_round_over_those_who_are_no_spies():
    records = [record_of(WON, SHARES, number) for number in range(4)]
    first = [line["missions"][0][0] for line in believed(records)["lines"]]
    assert first == [0.1, 0.2, 0.5, 0.1]


def test_a_game_that_the_spies_won_by_rejections():
    moves = ["spies 0 1", *[text for _ in range(5) for text in ("team 2 3", *AGAINST)]]
    shares = {player: [0.4] * 6 for player in (2, 3, 4)}
    (line,) = believed([record_of(moves, shares)])["lines"]
    assert (line["won"], line["missions"]) == ("spies", [[0.4] * 6])


def test_log_scores_of_the_truth():
    scores = believed([record_of(WON, SHARES)])["scores"]
    every = [math.log(share) for some in SHARES.values() for share in some]
    assert scores[EVERY]["believed"]["value"] == pytest.approx(sum(every) / len(every))
    assert scores[EVERY]["hard"]["value"] == pytest.approx(math.log(1 / 6))
    begun = [math.log(share) for share in (0.3, 0.2, 0.5)]  # the first of each in mission 2
    assert scores["start of mission 2"]["believed"]["value"] == pytest.approx(sum(begun) / 3)
    gained = scores["start of mission 2"]["gained"]["value"]
    assert gained == pytest.approx(sum(begun) / 3 - math.log(1 / 6))
    assert "start of mission 4" not in scores


def test_hard_evidence_is_what_a_failed_mission_leaves_possible():
    """0 and 2 were sent, one failed: 3 pairs are left for player 2, 5 for players 3 and 4."""
    moves = ["spies 0 1", "team 0 2", *FOR, "fail", "success", "team 0 1 2", *AGAINST]
    record = record_of(moves, {player: [0.5] * 9 for player in (2, 3, 4)})
    scores = believed([replace(record, payoffs=(0.0,) * 5)])["scores"]
    hard = scores["start of mission 2"]["hard"]["value"]
    assert hard == pytest.approx((math.log(1 / 3) + 2 * math.log(1 / 5)) / 3)
    assert scores["start of mission 1"]["hard"]["value"] == pytest.approx(math.log(1 / 6))


def test_errors_are_over_games():
    records = [record_of(WON, SHARES), record_of(WON, {p: [0.6] * 8 for p in (2, 3, 4)})]
    mean = believed(records)["scores"]["start of mission 1"]["believed"]
    games = [sum(math.log(x) for x in (0.1, 0.2, 0.5)) / 3, math.log(0.6)]
    assert mean["clusters"] == 2
    assert mean["error"] == pytest.approx(abs(games[0] - games[1]) / 2)


def test_without_beliefs_there_is_nothing_to_measure():
    record = record_of(WON, SHARES)
    silent = replace(record, moves=tuple(replace(move, summary=None) for move in record.moves))
    assert believed([silent]) == {"lines": [], "scores": {}}
