"""Networks over the traits of moves, learnt from recorded games."""

import numpy as np
import pytest

from facedown import match
from facedown.core import SpecError, Stream
from facedown.games.registry import load_game
from facedown.learn.moves import (
    Choice,
    by_kinds,
    by_network,
    choices_of,
    evenly,
    foretold,
    gather,
    preferences_of,
)
from facedown.search.network import load_network
from facedown.search.preferences import Preferences
from facedown.store.records import GameRecord, read_records
from support import EXAMPLES
from support.running import run

PEEK = f"{EXAMPLES / 'peek.py'}:Peek"


@pytest.fixture(scope="module")
def records(tmp_path_factory):
    """Games of players who know what is ruled out: their guesses are never in vain."""
    file = tmp_path_factory.mktemp("records") / "g.jsonl"
    player = "so-ismcts:iterations=60"
    match(PEEK, [player, player], games=60, seed=3, save=str(file))
    return file


def test_decisions_come_with_what_somebody_knows(records):
    game = load_game(PEEK)
    record = next(iter(read_records(records)))
    all_ = list(choices_of(game, record, Stream(1), None))
    made = [move for move in record.moves if move.player >= 0]
    assert len(all_) == len(made)
    for one, move in zip(all_, made, strict=True):
        assert one.moves.shape == (7, 3)
        assert one.moves[one.chosen].tolist()[0] == float(move.text.startswith("guess"))
        assert one.kinds[one.chosen] == move.text.startswith("guess")
        assert one.legal == 0b011
    few = list(choices_of(game, record, Stream(1), 2))
    assert {len(one.moves) for one in few} == {3}


def test_games_are_kept_apart(records):
    game = load_game(PEEK)
    found = gather(game, read_records(records), "games")
    assert found.games == 60
    assert found.agents == {"so-ismcts:iterations=60": 120}
    assert min(map(len, (found.learnt, found.watched, found.tested))) > 5
    with pytest.raises(SpecError, match="3 games to learn from; at least 10 are wanted"):
        gather(game, list(read_records(records))[:3], "games")
    other = [GameRecord(**{**vars(one), "game": "leduc"}) for one in read_records(records)]
    with pytest.raises(SpecError, match=r"games of leduc among those of .*Peek"):
        gather(game, other, "games")


def test_what_is_foretold_by_hand():
    rows = np.zeros((4, 3), np.float32)
    one = Choice(np.zeros(2, np.float32), rows, 0, (0, 1, 1, 1), 0b011)
    known = Preferences("peek", ("above", "guess", "deal"), {0b011: (3, 1, 0)}, {})
    assert by_kinds(known)(one) == pytest.approx([0.75, 1 / 12, 1 / 12, 1 / 12])
    assert evenly(one) == pytest.approx([0.25] * 4)
    even = foretold("even", [one], evenly)
    assert (even.log_score, even.first) == pytest.approx((np.log(0.25), 0.25))
    assert foretold("kinds", [one], by_kinds(known)).first == 1.0


def test_the_command_trains_what_a_search_can_use(records, tmp_path):
    pytest.importorskip("sklearn", reason="the extra `learn` is not installed")
    out = tmp_path / "network.json"
    line = ("learn", PEEK, "--about", "moves", "--from", str(records), "--out", str(out))
    done = run(*line, "--json")
    assert done.status == 0, done.err
    told = done.json["about"]["foretold"]
    assert told["network"]["log score"] > told["kinds"]["log score"]
    assert "--about moves" in done.json["about"]["command"]
    network, game = load_network(out), load_game(PEEK)
    assert network.about["games"] == 60
    found = gather(game, read_records(records), "games")
    again = foretold("network", found.tested, by_network(network)).to_json()
    assert again["log score"] == pytest.approx(told["network"]["log score"], abs=1e-3)
    assert preferences_of(game, found).decisions == len(found.learnt)
    first = out.read_bytes()
    assert run(*line, "--overwrite").status == 0
    assert out.read_bytes() == first  # the same seed, the same network
    played = run("match", PEEK, f"pomcp-nn:network={out},iterations=50", "random", "--games", "2")
    assert played.status == 0, played.err


def test_the_network_is_the_classifiers(records):
    """Log-odds of scikit-learn's own, before they are a file."""
    pytest.importorskip("sklearn", reason="the extra `learn` is not installed")
    from facedown.learn.moves import classifier, network_of, samples

    game = load_game(PEEK)
    found = gather(game, read_records(records), "games")
    values, chosen = samples(found.learnt)
    fitted = classifier(8, 1)
    fitted.partial_fit(values, chosen, classes=[False, True])
    one = found.tested[0]
    rows = np.concatenate([np.tile(one.position, (len(one.moves), 1)), one.moves], axis=1)
    shares = fitted.predict_proba(rows)[:, 1]
    wanted = np.log(shares / (1 - shares))
    assert network_of(game, fitted).scores(one.position, one.moves) == pytest.approx(
        wanted, abs=1e-4
    )


@pytest.mark.parametrize(
    ("spec", "more", "said"),
    [
        (PEEK, ("--classifier", "svm"), "--classifier is for models; moves have one kind"),
        ("kuhn", (), "kuhn tells no traits of its moves"),
        (PEEK, ("--from", "none.jsonl"), "cannot read none.jsonl"),
        (PEEK, ("--about", "nothing"), "preferences, moves or minds is wanted"),
    ],
)
def test_what_cannot_be_learnt_is_told(records, tmp_path, spec, more, said):
    out = tmp_path / "network.json"
    source = () if "--from" in more else ("--from", str(records))
    done = run("learn", spec, "--about", "moves", *source, "--out", str(out), *more)
    assert (done.status, said in done.err) == (2, True), done.err
    assert not out.exists()
