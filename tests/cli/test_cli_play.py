"""`facedown play`, with a script at the keyboard."""

import re

import pytest

from facedown.arena.replay import replay
from facedown.commands.play import split_specs
from facedown.games.registry import load_game
from facedown.store.records import read_records
from support import EXAMPLES, SUPPORT
from support.running import run

PLAYERS = SUPPORT / "crooked_players.py"
LAST = f"{PLAYERS}:Last"


def play(game, answers, *more):
    return run("play", game, "--seed", "3", *more, stdin="".join(f"{a}\n" for a in answers))


def record_of(tmp_path, game, answers, *more):
    tmp_path.mkdir(exist_ok=True)
    file = tmp_path / "games.jsonl"
    ran = play(game, answers, "--save", str(file), *more)
    assert ran.status == 0
    (record,) = read_records(file)
    replay(record, load_game(game))
    return record, ran


def human_moves(record):
    return [move.text for move in record.moves if record.agents[move.player] == "human"]


@pytest.mark.parametrize(
    "answers", [["1", "2"], ["pass", "bet"], [" PASS ", "b"], ["p", "bet"], ["nonsense", "1", "2"]]
)
def test_moves_by_number_by_name_and_by_beginning(tmp_path, answers):
    record, ran = record_of(tmp_path, "kuhn", answers, "--once", "--against", LAST)
    assert human_moves(record) == ["pass", "bet"]
    assert record.agents == ("human", LAST)
    assert not record.assisted
    assert ("'nonsense' is not one of your moves: pass, bet" in ran.out) == (len(answers) == 3)


def test_only_the_own_view_is_shown_until_the_end(tmp_path):
    record, ran = record_of(tmp_path, "kuhn", ["pass", "bet"], "--once", "--against", LAST)
    mine, yours = (move.text[-1] for move in record.moves[:2])
    during, _, end = ran.out.rpartition("your move (? for help):")
    assert f"you are dealt {mine}" in during
    assert f"[{mine}]" in during
    assert f"[{yours}]" not in during
    assert f"[{yours}]" in end
    assert re.search(r"^You (win|lose): [+-]2 for you, ", end, re.MULTILINE)


def test_what_was_seen_since_the_last_turn_is_told_once():
    ran = play("leduc", ["call", "call", "call", "call"], "--once", "--against", LAST)
    news = re.findall(r"^· (.*)$", ran.out, re.MULTILINE)
    assert news[1:4] == [
        "player 1 is dealt a card face down",
        "player 0 calls",
        "player 1 raises",
    ]
    assert news.count("player 1 raises") == 2
    assert news.count("player 0 calls") == 4
    assert sum(text.startswith("the board is") for text in news) == 1


def test_the_mere_name_of_the_own_move_is_no_news():
    ran = play("kuhn", ["pass", "bet"], "--once", "--against", LAST)
    news = re.findall(r"^· (.*)$", ran.out, re.MULTILINE)
    assert news[-1] == "bet"
    assert "pass" not in news


def test_who_votes_last_learns_the_votes_as_news():
    ran = play("resistance", ["reject", "quit"], "--against", LAST, "--seat", "4")
    news = re.findall(r"^· (.*)$", ran.out, re.MULTILINE)
    assert "the team is sent: for 0 1 2 3, against 4" in news
    assert "you choose reject" not in news  # said with the votes


def test_cribbage_tells_the_points_of_the_own_play_and_how_hands_were_counted():
    ran = play("cribbage", ["4h 3c", *["1"] * 6, "quit"], "--against", LAST)
    news = re.findall(r"^· (.*)$", ran.out, re.MULTILINE)
    assert "you put 3c 4h into the crib" in news
    assert any(re.search(r"^you play .. for \d+", text) for text in news)
    assert any("counts" in text and "in the crib" in text for text in news)
    for what in ("player 1        hand", "player 0 (you)  hand", "player 0 (you)  crib"):
        assert what in ran.out


def test_a_deal_of_many_cards_is_told_in_a_line_for_each_player():
    ran = play("cribbage", [], "--against", LAST)
    news = re.findall(r"^· (.*)$", ran.out, re.MULTILINE)
    assert news[0] == "your opponent is dealt a card, 6 times"
    assert re.fullmatch(r"you are dealt \w\w(, \w\w){5}", news[1])
    assert len(news) == 2


def test_a_team_by_its_members_alone(tmp_path):
    answers = ["2 0", *["1"] * 60]
    record, _ = record_of(tmp_path, "resistance", answers, "--once", "--against", LAST)
    assert human_moves(record)[0] == "team 0 2"


def test_a_side_wins_together():
    once = ("--once", "--against", LAST, "--seat")
    ends = [play("resistance", ["1"] * 60, *once, str(p)).out.splitlines()[-1] for p in range(5)]
    won = ["+1 for you" in end for end in ends]
    assert set(won) == {True, False}
    for wins, end in zip(won, ends, strict=True):
        others = " and ".join(re.findall(r"(player \d)\) \+1", end))
        assert end.startswith(f"You win with {others}: " if wins else "You lose: ")


def test_the_other_seat(tmp_path):
    record, ran = record_of(tmp_path, "kuhn", ["bet"], "--once", "--against", LAST, "--seat", "1")
    assert record.agents == (LAST, "human")
    assert "You are player 1; player 0 is" in ran.out
    assert "player 1 (you)" in ran.out


def test_help_shows_commands_and_moves():
    ran = play("kuhn", ["?", "help", "quit"])
    assert ran.out.count("take your last move back") == 2
    assert ran.out.count("1) pass") == 3
    assert "you leave the table" in ran.out


@pytest.mark.parametrize("answers", [["quit"], [], ["pass"], ["pass", "hello"], ["", "quit"]])
def test_leaving_and_the_end_of_input_end_the_game_unrecorded(tmp_path, answers):
    file = tmp_path / "games.jsonl"
    ran = play("kuhn", answers, "--against", LAST, "--save", str(file))
    assert ran.status == 0
    assert ran.out.endswith("you leave the table\n")
    assert not file.exists()


def test_a_hint_shows_the_search_and_marks_the_record(tmp_path):
    hint = ("--hint", "so-ismcts:iterations=300")
    record, ran = record_of(tmp_path, "kuhn", ["hint", "pass", "bet"], "--once", *hint)
    assert record.assisted
    for words in ("candidate", "visits", "available", "mean ± error"):
        assert words in ran.out
    assert "so-ismcts:iterations=300 would play" in ran.out
    assert "(assisted)" in ran.out


def test_beliefs_show_what_may_be_hidden_and_mark_the_record(tmp_path):
    record, ran = record_of(tmp_path, "kuhn", ["beliefs", "pass", "bet"], "--once")
    assert record.assisted
    assert len(re.findall(r"^  player 1 holds [JQK] +█+ +\d+ %$", ran.out, re.MULTILINE)) == 2


def test_beliefs_of_who_infers_rest_on_all_that_was_seen():
    hint = ("--hint", "mt-ismcts:iterations=2000", "--against", LAST, "--seat", "4")
    ran = play("resistance", ["beliefs", "reject", "beliefs", "undo", "beliefs", "quit"], *hint)
    assert ran.out.count("what mt-ismcts:iterations=2000 believes here:") == 3
    first, second, third = re.split(r"believes here:\n", ran.out)[1:]
    shares = [
        re.findall(r"^  spies: (\d and \d) .* (\d+) %$", part, re.MULTILINE)
        for part in (first, second, third)
    ]
    assert [len(part) for part in shares] == [6, 6, 6]
    assert {share for _, share in shares[0]} == {"17"}
    assert len({share for _, share in shares[1]}) > 1
    assert {share for _, share in shares[2]} == {"17"}


def test_a_game_whose_rules_fail_has_no_hints():
    ran = run("play", f"{PLAYERS}:Broken", "--against", "random", stdin="hint\nquit\n")
    assert "no hint: " in ran.out
    assert "rule 'apply' raised KeyError: 'nowhere'" in ran.out
    assert ran.status == 0


def test_undo_takes_back_the_last_decision_and_all_after_it(tmp_path):
    answers = ["pass", "undo", "bet"]
    record, ran = record_of(tmp_path, "kuhn", answers, "--once", "--against", LAST)
    assert human_moves(record) == ["bet"]
    assert [move.player for move in record.moves] == [-1, -1, 0, 1]
    assert record.assisted
    first, second = ran.out.split("taken back\n")
    position = "played: nothing yet\n  1) pass   2) bet"
    assert position in first
    assert position in second
    dealt = re.findall(r"you are dealt (.)", ran.out)
    assert len(dealt) == 2
    assert dealt[0] == dealt[1]


def test_undo_twice_then_nothing_is_left():
    answers = ["call", "call", "undo", "undo", "undo", "quit"]
    ran = play("leduc", answers, "--against", LAST)
    assert ran.out.count("taken back") == 2
    assert "there is nothing to take back yet" in ran.out


@pytest.mark.parametrize("game", ["leduc", f"{EXAMPLES / 'leduc.py'}:Leduc"])
def test_after_an_undo_the_past_is_the_same(tmp_path, game):
    against = ("--once", "--against", f"{PLAYERS}:Counting")
    straight, _ = record_of(tmp_path / "a", game, ["call", "call", "call"], *against)
    assert texts(straight)[2:] == ["call", "call", texts(straight)[4], "call", "raise", "call"]
    undone, ran = record_of(tmp_path / "b", game, ["call", "call", "undo", "raise"], *against)
    second = "fold" if game == "leduc" else "call"  # by number, and in plain Python by value
    assert texts(undone) == [*texts(straight)[:5], "raise", second]
    assert ran.out.count("the board is") == 2  # told again after the undo, as the news it is there
    assert (straight.assisted, undone.assisted) == (False, True)


def texts(record):
    return [move.text for move in record.moves]


def test_games_go_on_until_no_and_are_appended(tmp_path):
    file = tmp_path / "games.jsonl"
    answers = ["bet", "what?", "y", "bet", "n"]
    ran = play("kuhn", answers, "--against", "random", "--save", str(file))
    assert ran.out.count("another game? [Y/n]") == 3
    assert [record.number for record in read_records(file)] == [0, 1]
    play("kuhn", ["bet"], "--against", "random", "--save", str(file), "--once")
    records = list(read_records(file))
    assert [record.number for record in records] == [0, 1, 0]
    assert [m.text for m in records[0].moves] == [m.text for m in records[2].moves]
    assert run("replay", str(file)).status == 0


def test_several_opponents():
    ran = play(
        "liars-dice:players=3,faces=2",
        ["1x1", "liar", "liar", "liar"],
        "--once",
        "--against",
        "so-ismcts:iterations=20,c=0.5,random",
        "--seat",
        "1",
    )
    assert "player 0 is so-ismcts:iterations=20,c=0.5, player 2 is random" in ran.out
    assert ran.status == 0


def test_an_opponent_that_fails_forfeits():
    ran = play("kuhn", ["pass"], "--once", "--against", f"{PLAYERS}:Raises")
    assert "forfeits the game: ValueError: no idea" in ran.out
    assert "You win" in ran.out


def test_a_record_of_several_seats_names_them():
    ran = play("liars-dice:players=3,faces=2", ["1x1"] * 6, "--once", "--against", "random*2")
    assert ran.status == 0


def test_specs_in_a_list():
    assert split_specs("a,b:x=1,y=2,c.py:D:z=3,bandit=e.py:f,g") == [
        "a",
        "b:x=1,y=2",
        "c.py:D:z=3,bandit=e.py:f",
        "g",
    ]


def test_a_game_for_one_is_played_alone(tmp_path):
    record, ran = record_of(tmp_path, "monty-hall", ["(pick 1)", "switch"], "--once")
    own = [move.text for move in record.moves if move.player == 0]  # others are chance's
    assert own == ["(pick 1)", "switch"]
    assert record.agents == ("human",)
    assert "You are player 0; nobody else plays." in ran.out


def test_an_answer_that_may_mean_several_moves_is_asked_back():
    ran = play("cribbage", ["3c", "3c 3s", "quit"], "--once", "--against", "random")
    assert "'3c' may be one of these; which?\n" in ran.out
    asked = ran.out.partition("which?\n")[2].partition("your move")[0]
    assert len(re.findall(r"\d+\) ", asked)) == asked.count("3c") > 1


@pytest.mark.parametrize(
    ("game", "words"),
    [
        ("cribbage", r"player 1 holds an? (A|10|[2-9JQK]) +█* +\d+ %"),
        ("cheat", r"player 1 holds an? (A|10|[2-9JQK]) +█* +\d+ %"),
        ("liars-dice:dice=2", r"player 1 has a \d"),
        ("phantom-ttt", r"nothing is hidden|o is on [abc][123]"),
        ("gdl:krieg-tic-tac-toe-3x3", r"certain: turn 1|turn 1 +█"),
    ],
)
def test_beliefs_in_words(game, words):
    ran = play(game, ["beliefs", "quit"], "--once", "--against", "random", "--no-quiz")
    assert re.search(words, ran.out.partition("your move (? for help): beliefs")[2])


def test_cheat_shows_people_no_bits():
    ran = play("cheat", ["quit"], "--once", "--against", "random", "--no-quiz")
    assert "can be claimed" in ran.out
    assert "bits" not in ran.out
