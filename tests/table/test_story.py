"""Looking back: plies, beliefs against the truth, pages that work offline, selections."""

import base64
import json
import re
import zlib

import pytest

from facedown.agents.registry import make_agent
from facedown.arena.game import Header, play_game
from facedown.games.registry import load_game
from facedown.store.records import write_records
from facedown.table.export import html_page
from facedown.table.heat import heat_map
from facedown.table.hosted import Choice
from facedown.table.story import EVERYTHING, Story
from facedown.table.web.board import Selection, clickable, listed
from support import EXAMPLES
from support.running import run


def played(name, spec="so-ismcts:iterations=50", seed=5):
    game = load_game(name)
    makers = [lambda g, player: make_agent(spec, g, player, 1)] * game.players
    return game, play_game(game, makers, seed, header=Header((spec,) * game.players, seed))


@pytest.mark.parametrize("name", ["kuhn", "resistance", f"{EXAMPLES / 'bluff.py'}:Bluff"])
def test_a_story_has_every_ply_and_hides_what_was_hidden(name):
    game, record = played(name)
    story = Story(record, game)
    assert [m.text for m in story.moves] == [m.text for m in record.moves]
    assert len(story.positions) == len(record.moves) + 1
    middle = next(k for k, p in enumerate(story.positions) if p.turn() >= 0)
    viewer = 1
    assert story.text(middle, viewer) == story.positions[middle].view(viewer).text(viewer)
    assert story.picture(middle, viewer) != story.picture(middle, EVERYTHING)
    assert story.candidates(len(story))[0][1] > 0


def test_beliefs_over_time_are_shares_against_the_truth():
    game, record = played("resistance")
    heat = Story(record, game).heat(0)
    assert heat.plies == tuple(sorted(heat.plies))
    for column in range(len(heat.plies)):
        assert sum(row[column] for row in heat.shares) == pytest.approx(1.0)
        assert sum(row[column] for row in heat.true) <= 1
    assert heat.true[0][-1]
    drawn = heat_map(heat, "a <title>")
    assert drawn.count("<rect") == len(heat.plies) * len(heat.texts)
    assert "a &lt;title&gt;" in drawn


def test_decisions_lead_back_to_the_ply():
    game, record = played("leduc")
    story = Story(record, game)
    made = story.decisions(len(story) - 1)
    assert [d.text for d in made] == [m.text for m in record.moves[:-1] if m.player >= 0]


def test_a_page_that_works_offline_holds_the_game_and_loads_nothing(tmp_path):
    game, record = played("kuhn")
    page = html_page(Story(record, game))
    assert not re.search(r"(src|href)=", page)
    plain = json.loads(zlib.decompress(base64.b64decode(re.search(r'packed = "(.*)"', page)[1])))
    assert len(plain["steps"]) == len(record.moves) + 1
    first = "".join(plain["tags"][k] for k in plain["pictures"][0])
    assert first == Story(record, game).picture(0, EVERYTHING)
    write_records(tmp_path / "games.jsonl", [record])
    out = tmp_path / "game.html"
    assert run("replay", str(tmp_path / "games.jsonl"), "--html", str(out)).status == 0
    assert out.read_text() == page
    again = run("replay", str(tmp_path / "games.jsonl"), "--html", str(out))
    assert again.status == 2
    assert "is there already" in again.err


MOVES = [
    Choice("5h 6c", ("card:5h", "card:6c")),
    Choice("5h 7d", ("card:5h", "card:7d")),
    Choice("5h", ("card:5h",)),
    Choice("pass", ()),
]


def test_parts_are_selected_until_one_move_is_left():
    chosen = Selection(MOVES)
    assert chosen.click("card:6c") is None
    assert chosen.complete() == []
    assert chosen.click("card:5h") == 0
    chosen = Selection(MOVES)
    assert chosen.click("card:5h") is None  # which also begins other moves: to be confirmed
    assert chosen.complete() == [2]
    assert chosen.fitting() == [0, 1, 2]
    assert chosen.click("card:5h") is None  # let go
    assert chosen.fitting() == [0, 1, 2, 3]
    assert chosen.click("card:9s") is None
    assert chosen.said == "card 9s is in none of your moves now"
    chosen.click("card:6c")
    assert chosen.click("card:7d") is None
    assert chosen.said == "no move has card 7d together with card 6c"
    assert chosen.parts == ("card:7d",)


def test_parts_of_legal_moves_are_buttons_and_texts_are_inert():
    moves = [Choice('<b>"x"</b>', ("card:5h",))]
    picture = '<svg role="img"><g data-part="card:5h"></g><g data-part="card:6h"></g></svg>'
    drawn = clickable(picture, moves)
    assert 'role="group"' in drawn
    assert drawn.count('role="button"') == 1
    assert "&lt;b&gt;&quot;x&quot;&lt;/b&gt;" in drawn
    assert "<b>" not in drawn + listed(moves, [0], 3)
