"""Isolated agents play what they would have played, in every kind of game; programs play too."""

from __future__ import annotations

import json
import os
import sys
from collections import Counter, deque
from dataclasses import dataclass, field
from enum import Enum, IntEnum
from typing import NamedTuple

import numpy as np
import pytest

from facedown.arena.apart.lines import LineError, decoded
from facedown.arena.apart.seat import ApartAgent, Cells
from facedown.arena.apart.values import packed, unpacked
from facedown.arena.game import play_game
from facedown.arena.match import arrange, run_match
from facedown.core import RuleError, SpecError
from facedown.core.jit import cache_root
from facedown.games.registry import load_game
from facedown.store.store import Store
from support import EXAMPLES, SUPPORT

CALLER = f"{EXAMPLES / 'caller.py'}:Caller"
BOT = f"program:{EXAMPLES / 'bot.py'}"


class Suit(Enum):
    HEARTS = 1


class Rank(IntEnum):
    ACE = 1


class Card(NamedTuple):
    rank: int
    suit: str


@dataclass(frozen=True, slots=True)
class Bid:
    size: int
    cards: tuple


@dataclass
class Hand:
    cards: set = field(default_factory=set)


class Stack(list):
    pass


VALUES = [
    None, True, 3, -(10**30), 0.5, float("-inf"), "J\ud800\x1b", b"\xff", [1, [2]], (1, ("a",)),
    {3, 1}, frozenset("abc"), {"b": 1, "a": {(1, 2): None}}, Suit.HEARTS, Rank.ACE, Card(1, "h"),
    Bid(2, (Card(3, "s"),)), Hand({1}), Stack([1, 2]), Counter("aab"), deque([1, 2]), np.int8(3),
]  # fmt: skip


@pytest.mark.parametrize("value", VALUES, ids=range(len(VALUES)))  # a set's repr varies
def test_values_come_out_equal_on_the_other_side(value):
    back = unpacked(json.loads(json.dumps(packed(value))))
    assert type(back) is type(value)
    assert back == value


def test_arrays_come_out_equal_and_functions_do_not_travel():
    array = np.arange(6, dtype=np.int16).reshape(2, 3)
    back = unpacked(json.loads(json.dumps(packed(array))))
    assert back.dtype == array.dtype
    assert (back == array).all()
    for value in (print, lambda: 0, object(), np.array([object()])):
        with pytest.raises(RuleError, match=r"agent apart|no stable text"):
            packed(value)


def test_the_order_of_a_set_says_nothing_and_that_of_a_dictionary_is_kept():
    assert packed({9, 1, 5}) == ["s", 1, 5, 9]
    assert packed({"b": 1, "a": 2}) == ["d", ["b", 1], ["a", 2]]


@pytest.mark.parametrize("line", [b"", b"1", b"[]", b"{", b"\xff", b'{"a": NaN}', b"[" * 10**6])
def test_what_is_no_line_is_told(line):
    with pytest.raises(LineError):
        decoded(line)


GAMES = [
    "kuhn",
    "resistance",
    "tic-tac-toe",
    f"{EXAMPLES / 'leduc.py'}:Leduc",
    f"{SUPPORT / 'arena_games.py'}:HighCard",
]


@pytest.mark.parametrize("game", GAMES)
def test_an_isolated_agent_plays_as_it_would_have_played(game):
    seats = load_game(game).players
    agents = [f"{CALLER}*{seats}" if seats > 1 else CALLER]
    apart, here = (run_match(game, agents, seats, 7, isolate=isolate) for isolate in (True, False))
    assert (apart.errors, here.errors) == (0, 0)
    assert [agent.mean_payoff for agent in apart.agents] == [a.mean_payoff for a in here.agents]
    assert [agent.isolated for agent in apart.agents] == [True]
    assert apart.isolation is not None
    assert here.isolation is None


def test_our_own_are_isolated_where_that_is_asked_for():
    agents = ["so-ismcts:iterations=50", "random"]
    apart, here = (run_match("kuhn", agents, 4, 7, isolate=isolate) for isolate in (True, None))
    assert [agent.isolated for agent in apart.agents + here.agents] == [True, True, False, False]
    assert [agent.mean_payoff for agent in apart.agents] == [a.mean_payoff for a in here.agents]


def test_what_was_compiled_before_is_there_behind_the_walls(monkeypatch, tmp_path):
    """Else every match of a searching agent would begin with half a minute of compiling."""
    monkeypatch.delenv("FACEDOWN_CACHE", raising=False)
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    (tmp_path / "where.py").write_text(
        "from facedown import Agent\n"
        "from facedown.core.jit import cache_root\n"
        "class Where(Agent):\n"
        "    def choose(self, view, legal):\n"
        "        return legal[0]\n"
        "    def summary(self):\n"
        "        return {'cache': str(cache_root())}\n"
    )
    spec = f"{tmp_path / 'where.py'}:Where"
    record = play_game(load_game("kuhn"), [lambda g, p: ApartAgent(g, p, 5, spec, Cells())] * 2, 3)
    told = {move.summary["cache"] for move in record.moves if move.summary is not None}
    assert told == {str(cache_root())}


def test_records_and_summaries_are_the_same():
    spec = "so-ismcts:iterations=50"
    made = [
        [lambda g, p: ApartAgent(g, p, 5, spec, Cells())] * 2,
        [lambda g, p: __import__("facedown").make_agent(spec, g, p, 5)] * 2,
    ]
    apart, here = (play_game(load_game("kuhn"), makers, deal_seed=3) for makers in made)
    assert [move.text for move in apart.moves] == [move.text for move in here.moves]
    for one, other in zip(apart.moves, here.moves, strict=True):
        if one.summary is not None:
            assert one.summary.keys() == other.summary.keys()


def test_two_processes_play_the_same_match(tmp_path):
    alone = run_match("kuhn", [CALLER, "random"], 20, 7, jobs=1)
    both = run_match("kuhn", [CALLER, "random"], 20, 7, jobs=2)
    assert alone.agents == both.agents


def test_the_settings_of_a_match_say_who_was_isolated():
    asked = [arrange("kuhn", [CALLER, "random"], 4).ask(1).settings]
    assert asked[0]["isolation"]["limits"]["memory"] == 2048
    assert "isolation" not in arrange("kuhn", ["random*2"], 4).ask(1).settings
    with Store(":memory:") as store:
        first = run_match("kuhn", [CALLER, "random"], 4, 1, store=store)
        again = run_match("kuhn", [CALLER, "random"], 4, 1, store=store)
        other = run_match("kuhn", [CALLER, "random"], 4, 1, store=store, isolate=False)
        assert first == again
        assert len(list(store.runs())) == 2
    assert other.agents[0].isolated is False


# --- programs ------------------------------------------------------------------------------------


def test_a_program_plays_by_the_protocol():
    result = run_match("kuhn", [BOT, "random"], 20, 1)
    assert result.errors == 0
    assert result.agents[0].win_rate > 0.5


def program(folder, text):
    file = folder / "bot"
    file.write_text(text)
    file.chmod(0o755)
    return f"program:{file}"


SHELL = """#!/bin/sh
read start
echo '{"ready": true}'
while read asked; do
  move=${asked#*\\"legal\\":[\\{\\"move\\":}
  echo "{\\"move\\": ${move%%,*}}"
done
"""
PERL = r"""#!/usr/bin/perl
$| = 1; <STDIN>; print "{\"ready\": true}\n";
while (<STDIN>) { /"legal":\[\{"move":(\d+)/; print "{\"move\": $1}\n"; }
"""


@pytest.mark.parametrize("text", [SHELL, PERL], ids=["sh", "perl"])
def test_programs_of_other_languages_play(tmp_path, text):
    if text is PERL and not os.path.exists("/usr/bin/perl"):
        pytest.skip("no perl here")
    result = run_match("leduc", [program(tmp_path, text), "random"], 4, 1)
    assert result.errors == 0


def test_a_game_in_plain_python_is_sent_to_a_program_as_text_and_json(tmp_path):
    text = f"#!{sys.executable}\n" + (
        "import json, sys\n"
        "for line in sys.stdin:\n"
        "    m = json.loads(line)\n"
        "    if m['type'] == 'start': print('{\"ready\": true}', flush=True); continue\n"
        "    assert m['text'] and m['view']['turn'] == 0 and m['legal'][0]['text'], m\n"
        "    print(json.dumps({'move': m['legal'][0]['move'], 'summary': m['view']}), flush=True)\n"
    )
    agents = [program(tmp_path, text), "random"]
    with Store(":memory:") as store:
        game = f"{EXAMPLES / 'kuhn.py'}:Kuhn"
        result = run_match(game, agents, 1, 1, store=store)
        assert result.errors == 0
        (run,) = store.runs()
        (record,) = store.matches(run.id)[0].records()
    assert any(move.summary and "state" in move.summary for move in record.moves)


@pytest.mark.parametrize(
    ("spec", "said"),
    [
        ("program:", "wants a command"),
        ("program:./no/such/bot", "there is no program './no/such/bot'"),
        ("program:'", "is no command line"),
    ],
)
def test_a_program_that_is_not_there_is_told_before_the_match(spec, said):
    with pytest.raises(SpecError, match=said):
        run_match("kuhn", [spec, "random"], 2, 1)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("#!/bin/sh\nexit 3\n", "Died: its process ended with status 3"),
        ("#!/bin/sh\necho hello\nsleep 100\n", "NoAnswer: what it sent is no line"),
        ("#!/bin/sh\necho '{}'\nsleep 100\n", "NotReady: "),
        ("#!/bin/sh\nread a; echo '{\"ready\": 1}'; read a; echo no; sleep 100\n", "NoAnswer: "),
    ],
)
def test_a_program_that_fails_forfeits(tmp_path, text, reason):
    result = run_match("kuhn", [program(tmp_path, text), "random"], 2, 1, clock=5.0)
    assert all(given.startswith(reason) for given in result.agents[0].forfeits)
    assert result.errors == 2


def test_where_the_system_gives_no_walls_the_result_says_so(monkeypatch):
    cells = Cells(walls=())
    agent = ApartAgent(load_game("kuhn"), 0, 1, CALLER, cells)
    agent.close()
    assert agent.enforced == ()
    assert set(agent.missing) >= {"user", "processes", "files", "network", "ipc"}


def test_a_limit_that_is_none_is_told():
    from facedown.arena.apart.limits import limits_of

    assert limits_of("memory=512,cpu=1.5").cpu == 1.5
    for text in ("room=3", "memory=0", "memory=lots", "cpu=-1", "files=99999999999"):
        with pytest.raises(SpecError):
            limits_of(text)
