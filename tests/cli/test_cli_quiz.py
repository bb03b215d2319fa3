"""`facedown play`: the rules and a quiz before a person's first game."""

import json

import pytest

from facedown.core import Question
from facedown.games.registry import load_game
from facedown.table.lesson import Learnt
from support.running import run

RIGHT = ["2", "you", "8s or 10s", "2"]


@pytest.fixture
def kept(tmp_path, monkeypatch):
    """A user's folder of their own; compiled code is found where it is."""
    file = tmp_path / "quizzes.json"
    monkeypatch.setattr("facedown.table.lesson.cache_root", lambda: tmp_path)
    return file


def play(answers, *more, game="cheat"):
    typed = "".join(f"{answer}\n" for answer in answers)
    return run("play", game, "--seed", "3", "--against", "random", *more, stdin=typed)


def test_the_rules_and_all_questions_come_first_and_once(kept):
    ran = play([*RIGHT, "quit"])
    assert ran.status == 0
    before, _, after = ran.out.partition("1 of 4:")
    assert "Be rid of your cards." in before
    assert "your move" not in before
    assert ran.out.count("Right: ") == 4
    assert "Cheat, round 1 of 100" in after.rpartition("Right: ")[2]
    assert json.loads(kept.read_text()) == {"cheat": "passed"}
    again = play(["quit"])
    assert "1 of 4" not in again.out
    assert "Cheat, round 1 of 100" in again.out


def test_a_wrong_answer_is_asked_again(kept):
    ran = play(["1", "nonsense", *RIGHT, "quit"])
    assert "No. Try again." in ran.out
    assert "'nonsense': a number from 1 to 4" in ran.out
    assert json.loads(kept.read_text()) == {"cheat": "passed"}


def test_the_quiz_can_be_skipped_and_that_is_remembered(kept):
    ran = play(["2", "skip", "quit"])
    assert "Cheat, round 1 of 100" in ran.out
    assert json.loads(kept.read_text()) == {"cheat": "skipped"}
    assert "1 of 4" not in play(["quit"]).out


def test_leaving_in_the_middle_is_not_remembered(kept):
    for answers in (["2", "quit"], ["2"]):
        ran = play(answers)
        assert ran.status == 0
        assert "you leave the table" in ran.out
        assert "Cheat, round 1 of 100" not in ran.out
        assert not kept.exists()


def test_options_ask_again_or_never(kept):
    assert "1 of 4" not in play(["quit"], "--no-quiz").out
    assert not kept.exists()
    play(["skip", "quit"])
    assert "1 of 4" in play([*RIGHT, "quit"], "--quiz").out
    assert json.loads(kept.read_text()) == {"cheat": "passed"}


def test_variants_share_what_was_learnt_and_other_games_keep_theirs(kept):
    kept.write_text('{"chess": "passed"}')
    play([*RIGHT, "quit"], game="cheat:rounds=20")
    assert json.loads(kept.read_text()) == {"chess": "passed", "cheat": "passed"}


@pytest.mark.parametrize("content", ["", "[1]", "{"])
def test_a_damaged_file_is_no_memory(kept, content):
    kept.write_text(content)
    play(["skip", "quit"])
    assert json.loads(kept.read_text()) == {"cheat": "skipped"}


def test_where_nothing_can_be_written_the_game_goes_on(tmp_path):
    (tmp_path / "file").write_text("")
    learnt = Learnt(tmp_path / "file" / "quizzes.json")
    learnt.note("cheat", "passed")
    assert learnt.how("cheat") is None


def test_games_without_a_lesson_have_none(kept):
    assert "1 of" not in play(["quit"], "--quiz", game="kuhn").out
    assert not kept.exists()


def test_every_quiz_has_one_right_answer():
    game = load_game("cheat")
    assert len(game.quiz) == 4
    for question in game.quiz:
        assert isinstance(question, Question)
        assert 0 <= question.right < len(question.answers) == len(set(question.answers))


def test_a_plain_class_can_have_one(kept, tmp_path):
    file = tmp_path / "short.py"
    file.write_text(
        "class Short:\n"
        "    players, bounds = 2, (-1.0, 1.0)\n"
        "    lesson = 'Say go.'\n"
        "    quiz = (('What do you say?', ('go', 'no'), 0, 'it is the rule'),)\n"
        "    def start(self): return 0\n"
        "    def turn(self, s): return -2 if s > 1 else s\n"
        "    def legal(self, s): return ['go']\n"
        "    def apply(self, s, move): return s + 1\n"
        "    def sees(self, s, move, viewer): return move\n"
        "    def payoff(self, s): return (0.0, 0.0)\n"
        "    def hide(self, s, viewer): return s\n"
        "    def infoset(self, s, viewer): return s\n"
    )
    ran = play(["go", "go"], "--once", game=f"{file}:Short")
    assert ran.status == 0, ran.err
    assert "Say go." in ran.out
    assert "Right: it is the rule." in ran.out
    assert json.loads(kept.read_text()) == {"Short": "passed"}
