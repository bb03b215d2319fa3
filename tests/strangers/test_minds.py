"""A model of players: learnt from strangers, as evidence of spies, and in the search."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from facedown.agents.registry import make_agent
from facedown.agents.searching import exceeds
from facedown.core import Position, SpecError, Stream
from facedown.games.resistance import Resistance
from facedown.games.resistance.careful import by_votes
from facedown.games.resistance.crowd import Crowd, load_crowd, shipped
from facedown.games.resistance.knowledge import Suspicion
from facedown.games.resistance.layout import NET, POSITION_TRAITS
from facedown.games.resistance.reckoning import SLIP
from facedown.learn.minds import Net, learn, shares
from facedown.search.report import Candidate
from facedown.strangers.training_half import TRAINING
from support.playing import game
from support.resistance_table import dealt, mission, propose, vote


def suspicion(crowd: Crowd, viewer: int) -> Suspicion:
    table = Resistance().table
    context = table.context(crowd)
    context["temperate"] = (0.0, 1.0, 0.0)
    return Suspicion(table, context, viewer, weights=(1.0, 1.0, 1.0), alike=0.0, plain=0.0)


def test_evidence_is_what_the_networks_say() -> None:
    """A proposal and five votes, world by world, against the same reckoned move by move."""
    net = Net.drawn(3)
    found = suspicion(Crowd({"crowd": net.flat()}), 4)
    expected = []
    for spies in found.table.configs:
        if spies >> 4 & 1:
            continue
        members = [p for p in range(5) if spies >> p & 1]
        position, log = dealt(5, *members), 0.0
        for text, movers in (("team 0 2", [0]), ("", range(5))):
            for player in movers:
                legal = position.legal()
                move = position.game.parse_move(text, legal) if text else int(player < 2)
                whole, rows = position.traits(player, legal)
                row = np.concatenate([np.tile(whole, (len(rows), 1)), rows], axis=1)[None]
                share = shares(net.scores(row)[0])[0][legal.index(move)]
                if player != 4:
                    log += np.log((1 - SLIP) * share + SLIP / len(legal))
                position.apply(move)
        expected.append((spies, log))
    view = vote(propose(dealt(5, 0, 1), 0, 2), 2).view(4).record
    by_hand = np.exp([log for _, log in expected])
    reckoned = found.reckon(view).shares
    for (spies, _), share in zip(expected, by_hand / by_hand.sum(), strict=True):
        assert reckoned[found.table.configs.index(spies)] == pytest.approx(share)
    assert reckoned.sum() == pytest.approx(1.0)


def test_evidence_is_the_same_all_at_once_or_bit_by_bit() -> None:
    model = shipped()
    assert model is not None
    table = Resistance().table
    slowly, views = Suspicion(table, table.context(model), 2), []
    position = mission(propose_and_reject(dealt(5, 1, 3)), 1, 2, fails=(1,))
    views.append(position.view(2).record)
    propose(position, 0, 2, 4)
    views.append(position.view(2).record)
    vote(position, 4)
    views.append(position.view(2).record)
    for view in views:
        at_once = Suspicion(table, table.context(model), 2).reckon(view)
        found = slowly.reckon(view)
        assert found.shares == pytest.approx(at_once.shares)
        assert found.minds == pytest.approx(at_once.minds)
    assert at_once.shares[table.configs.index(0b11000)] == 0.0  # neither was on what failed
    again = slowly.reckon(views[0])  # another story: it begins anew
    assert again.shares == pytest.approx(
        Suspicion(table, slowly.context, 2).reckon(views[0]).shares
    )


def propose_and_reject(position: Position) -> Position:
    return vote(propose(position, 0, 1), 2)


def test_spies_know_and_worlds_keep_the_view() -> None:
    position = vote(propose(dealt(5, 1, 3), 0, 1), 2)
    agent = make_agent("mt-ismcts:belief=factored,iterations=10", game("resistance"), 1, 1)
    view = position.view(1)
    pool = agent.belief.worlds(view, agent.wanted())  # type: ignore[attr-defined]
    assert set(pool.records["spies"]) == {0b01010}
    assert (pool.records["minds"][:, :5] > 0).all()
    for k in range(3):
        assert pool.position(k).view(1).record.tobytes() == view.record.tobytes()


def test_learning_foretells_better_than_chance(tmp_path: Path) -> None:
    kept = ("counter", "bayesian")
    others = [one.name for one in TRAINING.families if one.name not in kept]
    learnt = learn(60, 1, without=others)
    assert list(learnt.nets) == ["crowd", "counter", "bayesian"]
    for own, crowd, even in learnt.foretold.values():
        assert max(own, crowd) > even
    file = tmp_path / "minds.json"
    file.write_text(Crowd({name: net.flat() for name, net in learnt.nets.items()}).packed())
    assert list(load_crowd(file).nets) == list(learnt.nets)
    file.write_text(file.read_text().replace("minds 1", "minds 0"))
    with pytest.raises(SpecError, match="holds no minds: its format is not"):
        load_crowd(file)


def test_the_shipped_model_fits_the_game() -> None:
    crowd = shipped()
    assert crowd is not None
    assert next(iter(crowd.nets)) == "crowd"
    assert Net.drawn(1).flat().size == NET
    assert len(Resistance.trait_names.position) == POSITION_TRAITS


def test_modelled_others_do_not_search() -> None:
    """Against players who move at random a bet with the worst card is best, and worth -1/2."""
    kuhn = game("kuhn")
    position = kuhn.start()
    for _ in range(2):
        position.apply(position.legal()[0])
    agent = make_agent("mo-ismcts:modelled=1,iterations=20000", kuhn, 0, 1)
    legal = position.legal()
    moved = agent.choose(position.view(0), legal)
    report = agent.report()  # type: ignore[attr-defined]
    best = report.best()
    assert kuhn.move_text(moved) == "bet"
    assert best.mean == pytest.approx(-0.5, abs=0.04)


def test_a_script_is_followed_unless_the_search_is_sure() -> None:
    position = vote(propose(dealt(5, 0, 1), 0, 2), 5)
    view, legal = position.view(0), position.legal()
    spec = "mt-ismcts:belief=factored,playout=true,modelled=1,script={},doubt={},iterations=300"
    for script, usual in (("naive", 3), ("bluffer", 2)):  # who fails at once, and who waits
        agent = make_agent(spec.format(script, 1e6), game("resistance"), 0, 1)
        assert agent.choose(view, legal) == usual
    known = "scripts of resistance: scripted, naive, logical, bluffer, watchful, reckoner, adept"
    with pytest.raises(SpecError, match=known):
        make_agent(spec.format("nobody", 2), game("resistance"), 0, 1)


def test_a_move_exceeds_another_by_errors() -> None:
    def tried(move: int, visits: float, mean: float, error: float) -> Candidate:
        return Candidate(move, "", visits, mean, error, visits)

    one, other = tried(1, 100, 0.6, 0.03), tried(2, 100, 0.5, 0.04)
    assert exceeds(one, other, 1.9)
    assert not exceeds(one, other, 2.1)
    assert not exceeds(one, tried(2, 1, 0.0, 0.0), 2)
    assert exceeds(one, None, 2)


def test_the_reckoner_leads_with_those_it_trusts() -> None:
    position = mission(dealt(5, 0, 1), 0, 1, fails=(0, 1))
    script = position.game.definition.scripts["reckoner"]
    position = propose(position, 2, 3, 4)
    assert script(position.view(2).record, 2, [0, 1], Stream(1)) == 1


def test_what_people_do_counts_beside_the_model() -> None:
    """A share is the model's times the usual weight to a power; what is ruled out stays so."""
    position = vote(propose(mission(dealt(5, 0, 1), 0, 2, fails=(0,)), 1, 3, 4), 3)
    table, view = Resistance().table, position.view(4).record
    context = table.context(shipped())
    model = Suspicion(table, context, 4, plain=0.0).reckon(view).shares
    both = Suspicion(table, context, 4, plain=0.5).reckon(view).shares
    found = model * by_votes(context, view, 4) ** 0.5
    assert both == pytest.approx(found / found.sum())
    assert both.sum() == pytest.approx(1.0)
    assert abs(both - model).max() > 0.01
    assert all(both[k] == 0 for k, spies in enumerate(table.configs) if spies >> 4 & 1)


@pytest.mark.parametrize("name", ["watchful", "reckoner"])
def test_who_knows_nothing_leads_with_anybody(name: str) -> None:
    """As the first leader all four are alike to one who is no spy."""
    position = dealt(5, 1, 2)
    script = position.game.definition.scripts[name]
    legal, view = position.legal(), position.view(0).record
    teams = {script(view, 0, legal, Stream(seed)) for seed in range(40)}
    assert teams == {position.game.parse_move(f"team 0 {p}", legal) for p in (1, 2, 3, 4)}
