"""SDMCTS with a model: its odds, the times that it is told, and adapting to the table."""

import math

import pytest

from facedown.agents.base import Agent
from facedown.agents.registry import make_agent
from facedown.arena.game import play_game
from facedown.arena.replay import plies
from facedown.core import SpecError, Stream
from facedown.games.cheat.key import FALSE, TRUE
from facedown.games.registry import load_game
from facedown.learn.corpus import response
from facedown.learn.models import save_model, train
from support.learning_games import cheat, corpus, records


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    out = tmp_path_factory.mktemp("models") / "tree.skops"
    save_model(train("decision-tree", corpus()), corpus(), out)
    return str(out)


def answers(agent, record, player):
    """The odds that an agent gives to claims of a recorded game, told all that a match tells."""
    found = []
    for move, position in plies(record, agent.game):
        if move.player >= 0 and move.player != player:
            agent.clocked(move.player, response(record, move))
        if position.turn() == player and position.secret(player):
            found.append((agent.belief.odds(position.view(player), [TRUE, FALSE]), position))
    return found


def test_odds_are_the_models_of_the_features(file):
    record = records()[0]
    agent = make_agent(f"sdmcts:iterations=10,predictor={file}", cheat(), 0, 1)
    found = [odds[FALSE] for odds, _ in answers(agent, record, 0)]
    other = f"person {next(m.summary['simulated'] for m in record.moves if m.player == 1)}"
    assert len(found) > 5
    assert all(0 < share < 1 for share in found)
    samples = corpus()
    (pair,) = (k for k, two in enumerate(samples.pairs) if other in two)
    rows = [
        values
        for values, own, match in zip(samples.values, samples.pair, samples.match, strict=True)
        if own == pair and match == record.number
    ]
    from facedown.belief.predictor import load_predictor, share_of

    model = load_predictor(file, cheat())
    said = {round(share_of(model.log_odds(row)), 9) for row in rows}
    assert {round(share, 9) for share in found} <= said


def test_hidden_cards_change_no_odds(file):
    agent = make_agent(f"sdmcts:iterations=10,predictor={file}", cheat(), 0, 1)
    stream, changed = Stream(3), 0
    for odds, position in answers(agent, records()[0], 0):
        world = position.view(0)
        world.determinize(0, stream)
        changed += world.secret(0) != position.secret(0)
        fresh = make_agent(f"sdmcts:iterations=10,predictor={file}", cheat(), 0, 1)
        same = make_agent(f"sdmcts:iterations=10,predictor={file}", cheat(), 0, 1)
        truth = fresh.belief.odds(position.view(0), [TRUE, FALSE])
        assert same.belief.odds(world.view(0), [TRUE, FALSE]) == truth
        assert sum(odds.values()) == pytest.approx(1)
    assert changed > 3


def test_adapting_moves_the_odds_by_what_calls_show(file):
    lies = shown = 0
    for record in records():
        plain, adapting = (
            make_agent(f"sdmcts:iterations=10,predictor={file},adapt={on}", cheat(), 0, 1)
            for on in ("false", "true")
        )
        ends = [answers(agent, record, 0) for agent in (plain, adapting)]
        position = ends[1][-1][1]
        out = cheat().features.revealed(position.view(0).record, 0)
        shown += len(out)
        lies += sum(label == FALSE for label in out.values())
        expected = sum(said is not None for said in out)
        assert len(adapting.secrets.said) == len(ends[1]) - expected
        if len(out) > 4:
            assert adapting.secrets.person.offset != 0
            assert ends[0][-1][0] != ends[1][-1][0]
    assert shown > 20


def test_labels_that_are_certain_need_no_model(file):
    agent = make_agent(f"sdmcts:iterations=10,predictor={file}", cheat(), 0, 1)
    position = answers(agent, records()[0], 0)[0][1]
    assert agent.belief.odds(position.view(0), [FALSE]) == {FALSE: 1.0}
    assert agent.belief.odds(position.view(0), [0]) == {0: 1.0}


class Listener(Agent):
    """Plays like the scripted player and notes the times that it is told."""

    def __post_init__(self):
        super().__post_init__()
        self.heard = []

    def clocked(self, player, seconds):
        self.heard.append((player, seconds))

    def choose(self, view, legal):
        return self.stream.choice(legal)


def test_the_table_tells_times_of_people_and_of_nobody_else():
    made = []

    def listener(game, player):
        made.append(Listener(game, player, 5))
        return made[-1]

    def person(game, player):
        return make_agent("person:number=4", game, player, 5)

    short = load_game("cheat:rounds=12")
    record = play_game(short, [listener, person], 3)
    told = [seconds for _, seconds in made[0].heard]
    assert told == [m.summary["response"] for m in record.moves if m.player == 1]
    assert min(told) > 0.5
    play_game(short, [listener, listener], 3)
    assert all(math.isnan(seconds) for one in made[1:] for _, seconds in one.heard)
    assert all(one.heard for one in made)


def test_pmga_plays_with_the_model_of_the_game():
    agent = make_agent("pmga:iterations=30,adapt=true", cheat(), 0, 1)
    assert agent.secrets.model.about["of"] == "simulated people"
    assert agent.secrets.model.about["command"].startswith(
        "facedown learn cheat --from simulated.jsonl"
    )
    short = load_game("cheat:rounds=14")

    def pmga(game, player):
        return make_agent("pmga:iterations=30,adapt=true", game, player, 5)

    def person(game, player):
        return make_agent("person:number=4", game, player, 5)

    record = play_game(short, [pmga, person], 3)
    assert not record.forfeits
    odds = [m.summary["odds"] for m in record.moves if m.player == 0]
    assert any(set(one) == {"1", "2"} for one in odds)
    assert play_game(short, [pmga, person], 3).payoffs == record.payoffs


def test_the_model_of_the_game_is_small():
    from pathlib import Path

    assert Path(cheat().predictor).stat().st_size < 1 << 20


def test_specs_that_cannot_be(tmp_path):
    with pytest.raises(SpecError, match="sdmcts wants predictor=FILE"):
        make_agent("sdmcts", cheat(), 0, 1)
    with pytest.raises(SpecError, match="cannot read"):
        make_agent(f"sdmcts:predictor={tmp_path / 'none'}", cheat(), 0, 1)
    with pytest.raises(SpecError, match="kuhn offers no features"):
        make_agent("pmga", load_game("kuhn"), 0, 1)
