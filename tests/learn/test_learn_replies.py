"""Features of replies: what a claimer knows before a claim, samples of calls, models of them."""

import json
import math
import re
from pathlib import Path

import pytest

from facedown.agents.registry import make_agent
from facedown.arena.game import play_game
from facedown.arena.replay import plies
from facedown.belief.predictor import load_predictor, share_of
from facedown.cli import main
from facedown.core import CHANCE, SpecError, Stream
from facedown.games.cheat.state import CALL
from facedown.games.registry import load_game
from facedown.learn.corpus import gather, samples_of
from facedown.learn.models import folds, save_model, train
from facedown.store.records import HUMAN, write_records
from support import ROOT
from support.cheat_table import play
from support.learning_games import MINE, cheat, corpus, dealt, records


def replies():
    return gather(cheat(), records(), "replies")


def named(position, player, text, seconds=()):
    move = cheat().parse_move(text, position.legal())
    values = cheat().replies.values(position.view(player).record, player, move, seconds)
    assert len(values) == len(cheat().replies.names)
    return dict(zip(cheat().replies.names, values, strict=True))


# --- features -------------------------------------------------------------------------------------


def test_what_is_hidden_changes_no_feature():
    """Own claims in views of worlds in which the other holds other cards, and lied or did not."""
    offered, stream, changed = cheat().replies, Stream(5), 0
    for record in records()[:2]:
        for _, position in plies(record, cheat()):
            player = position.turn()
            if player < 0:
                continue
            for move in [move for move in position.legal() if offered.asks(move)][::3]:
                view = position.view(player)
                before = offered.values(view.record, player, move, [3.0])
                world = position.view(player)
                world.determinize(player, stream)
                changed += world.record["cards"][1 - player] != position.record["cards"][1 - player]
                for one in (world.record, world.view(player).record):
                    after = offered.values(one, player, move, [3.0])
                    assert after == pytest.approx(before, nan_ok=True)
                known = offered.revealed(view.record, player)
                assert offered.revealed(world.record, player) == known
    assert changed > 50


def test_the_claim_and_what_it_leaves():
    found = named(dealt(), 0, "lie higher 2", [5.0])  # two 4s, of which player 0 holds one
    assert MINE.split().count("4") == 1
    assert (found["claim-size"], found["claim-lower"], found["rounds"]) == (2, 0, 0)
    assert (found["own-hand"], found["other-hand"], found["table"], found["deck"]) == (6, 8, 3, 35)
    assert (found["other-most"], found["known-rank"], found["room"]) == (3, 0, 2)
    assert found["response"] == pytest.approx(found["response-usual"]) == 5.0
    for unknown in ("call-rate", "last-call", "take-rate"):
        assert math.isnan(found[unknown])
    lower = named(dealt(), 0, "true lower 3")  # all 2s but one
    assert (lower["claim-lower"], lower["other-most"]) == (1, 1)


def test_truth_and_lie_of_one_size_look_alike_to_who_calls():
    """Only own cards tell them apart, and those are the same before either."""
    position = dealt()
    assert named(position, 0, "true lower 1") == pytest.approx(
        named(position, 0, "lie lower 1"), nan_ok=True
    )


def test_what_the_other_has_seen_and_done():
    position = play(dealt(), "lie higher 1", "lay 2", "call")  # caught on a 4; takes the 2 and a 3
    found = named(position, 0, "true lower 1")  # a 3
    assert (found["caught"], found["caught-rank"]) == (1, 0)
    assert found["lie-share"] == pytest.approx(2 / 3)
    assert (found["call-rate"], found["last-call"]) == (1.0, 1.0)
    assert found["call-success"] == pytest.approx(2 / 3)
    play(position, "true lower 1", "call", "take", "draw 7")  # which was true: player 1 has the 3
    play(position, "lie higher 1", "lay A")  # a 4, claimed by player 1
    again = named(position, 0, "lie lower 1")  # a 3, and player 1 is known to hold one
    assert (again["known-rank"], again["room"]) == (1, 2)
    assert (again["call-rate"], again["call-success"], again["last-call"]) == (1.0, 0.5, 3.0)
    assert named(position, 0, "lie higher 1")["other-claims"] == 0
    play(position, "lie higher 1", "lay J", "lie lower 1", "lay 8")  # a 5, then a 4 once more
    assert named(position, 0, "lie higher 1")["same-claims"] == 1
    assert named(position, 0, "lie higher 1")["claims-since"] == 1
    assert cheat().replies.revealed(position.view(0).record, 0) == {0: 1, 2: 1, 6: 0}


def test_the_document_has_every_feature():
    text = (ROOT / "docs" / "learn.md").read_text(encoding="utf-8")
    table = text.partition("## The features of replies")[2].partition("\n## ")[0]
    assert re.findall(r"^\| `([a-z-]+)`", table, re.MULTILINE) == list(cheat().replies.names)


# --- samples --------------------------------------------------------------------------------------


def test_every_claim_that_could_be_called_is_a_sample():
    calls = 0
    for record in records()[:4]:
        rounds = [move for move in record.moves if move.player != CHANCE]
        wanted = [
            (k, rounds[k + 1].move == CALL)
            for k, move in enumerate(rounds[:-1])
            if move.move < CALL
        ]
        found = samples_of(cheat(), record, about="replies")
        assert [(one.round, one.positive) for one in found] == wanted
        calls += sum(called for _, called in wanted)
    assert calls > 5


def test_of_people_only_the_peoples_replies_count():
    from dataclasses import replace

    record = replace(records()[0], agents=(HUMAN, "mga"), consent=True)
    rounds = [move for move in record.moves if move.player != CHANCE]
    found = list(samples_of(cheat(), record, about="replies"))
    assert found
    assert all(rounds[one.round].player == 1 for one in found)


def test_nothing_is_learnt_from_a_pairs_future():
    found, tried = replies(), 0
    order = list(zip(found.match, found.round, strict=True))
    for learnt, asked in folds(found, 3):
        (pair,) = set(found.pair[asked])
        own = [order[k] for k in learnt if found.pair[k] == pair]
        tried += len(own)
        assert all(one < order[asked[0]] for one in own)
    assert tried > 50


# --- models and agents ----------------------------------------------------------------------------


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """Models of secrets and of replies."""
    place = tmp_path_factory.mktemp("models")
    lies, calls = place / "lies.skops", place / "calls.skops"
    save_model(train("decision-tree", corpus()), corpus(), lies)
    save_model(train("random-forest", replies()), replies(), calls)
    return str(lies), str(calls)


def test_the_command_learns_replies(tmp_path, capsys):
    games, out = tmp_path / "people.jsonl", tmp_path / "calls.skops"
    write_records(games, records())
    words = ["learn", "cheat", "--from", str(games), "--out", str(out), "--about", "replies"]
    assert main([*words, "--classifier", "decision-tree", "--blocks", "0"]) == 0
    said = capsys.readouterr().out
    assert f"{int(replies().positive.sum())} claims called" in said
    model = load_predictor(out, cheat(), "replies")
    assert "--about replies" in model.about["command"]
    words[-1] = "weather"
    assert main(words) == 2
    said = capsys.readouterr().err
    assert "about is 'weather'; secrets, replies, preferences, moves or minds is wanted" in said


@pytest.mark.parametrize("command", ["match", "bench"])
def test_a_model_of_the_wrong_kind_is_one_line(files, command, capsys):
    lies, calls = files
    wrong = {
        f"sdmcts:predictor={calls}": "predicts replies; a model of secrets is wanted",
        f"pmga:replies={lies}": "predicts secrets; a model of replies is wanted",
    }
    for spec, told in wrong.items():
        assert main([command, "cheat", spec] + ["random"] * (command == "match")) == 2
        (line,) = (x for x in capsys.readouterr().err.splitlines() if not x.startswith("compil"))
        assert told in line


def test_games_without_replies(capsys, tmp_path):
    with pytest.raises(SpecError, match="leduc offers no features of replies"):
        make_agent("pmga:replies=game", load_game("leduc"), 0, 1)
    with pytest.raises(SpecError, match="cannot read"):
        make_agent(f"pmga:replies={tmp_path / 'none'}", cheat(), 0, 1)


def test_the_search_is_told_what_the_model_says_of_every_claim(files):
    lies, calls = files
    agent = make_agent(f"sdmcts:iterations=5,predictor={lies},replies={calls}", cheat(), 0, 1)
    model, position = load_predictor(calls, cheat(), "replies"), dealt()
    agent.clocked(1, 4.0)
    view, legal = position.view(0), position.legal()
    foreseen = agent.foresee(view, legal)
    assert foreseen.reply == CALL
    assert set(foreseen.shares) == {move for move in legal if move < CALL}
    for move, share in foreseen.shares.items():
        values = cheat().replies.values(view.record, 0, move, [4.0])
        assert share == pytest.approx(share_of(model.log_odds(values)))
        exact = float(model.chances([values])[0])
        assert share_of(model.log_odds(values) - model.shift) == pytest.approx(exact, abs=1e-6)
    assert make_agent("pmga:iterations=5", cheat(), 0, 1).foresee(view, legal) is None


def test_hidden_cards_change_no_choice(files):
    """The same view of other worlds: the same predictions, the same move."""
    lies, calls = files
    spec, stream = f"sdmcts:iterations=40,predictor={lies},replies={calls}", Stream(9)
    position = play(dealt(), "take", "draw 7", "lie higher 1", "lay A")
    found = set()
    for _ in range(3):
        world = position.view(0)
        world.determinize(0, stream)
        agent = make_agent(spec, cheat(), 0, 1)
        move = agent.choose(world.view(0), world.legal())
        found.add((move, json.dumps(agent.summary()["odds"]), agent.called))
    assert len(found) == 1


def test_the_model_of_the_game_plays_and_adapts():
    assert Path(cheat().reply_predictor).stat().st_size < 1 << 20
    short, made = load_game("cheat:rounds=20"), []

    def ours(game, player):
        made.append(make_agent("pmga:iterations=30,replies=game,adapt=true", game, player, 5))
        return made[-1]

    def person(game, player):
        return make_agent("person:number=4", game, player, 5)

    record = play_game(short, [ours, person], 3)
    assert not record.forfeits
    own = [move for move in record.moves if move.player == 0]
    assert made[0].calls.model.about["command"].startswith("facedown learn cheat --about replies")
    for move in own:
        assert ("reply" in move.summary) == (move.move < CALL)
    answered = sum(move.move < CALL for move in own)
    assert len(made[0].calls.said) <= 1 < answered  # all but the last have come out
    assert made[0].calls.person.offset != 0
