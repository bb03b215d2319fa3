"""`facedown`, `--version`, `games`, `agents`."""

import os
import subprocess
import sys

import facedown
from facedown.agents.registry import AGENTS
from facedown.games.registry import GAMES
from support import EXAMPLES, SUPPORT
from support.running import run

COMMANDS = (
    "games",
    "agents",
    "match",
    "play",
    "replay",
    "bench",
    "check",
    "exploit",
    "analyse",
    "playtest",
    "tune",
    "paper",
    "report",
    "winning",
    "demo",
    "gdl",
    "ggp",
    "jsettlers",
)


def test_no_command_and_help_say_the_same():
    assert run().out == run("--help").out == run("-h").out
    assert run().status == run("--help").status == 0
    for command in COMMANDS:
        assert f"\n  {command} " in run().out
        assert run(command, "--help").status == 0


def test_version():
    assert run("--version").out == f"facedown {facedown.__version__}\n"


def test_games_are_listed():
    shown = run("games")
    assert shown.status == 0
    for name, entry in GAMES.items():
        assert name in shown.out
        assert entry.summary in shown.out
    listed = run("games", "--json").json["games"]
    assert [game["name"] for game in listed] == list(GAMES)


def test_agents_are_listed():
    shown = run("agents")
    assert all(name in shown.out for name in AGENTS)
    assert [agent["name"] for agent in run("agents", "--json").json["agents"]] == list(AGENTS)


def test_agents_of_a_game_have_options_with_defaults():
    shown = run("agents", "kuhn").out
    assert "worlds=100" in shown
    assert "iterations=1000" in shown
    assert shown.count("scaled=true") == 1  # once for all that have it
    assert "Variants" not in shown
    agents = {agent["name"]: agent for agent in run("agents", "kuhn", "--json").json["agents"]}
    assert agents["so-ismcts"]["options"]["c"] == 0.7
    assert agents["cheating-uct"]["cheats"] is True
    assert agents["smooth-uct"]["options"]["final"] == "average"
    assert agents["scripted"]["plays"] is True


def test_variants_of_a_games_rules_are_listed():
    assert "horizon=winning" in run("agents", "cribbage").out
    listed = run("agents", "cribbage", "--json").json
    assert listed["variants"] == {"determinize": ["skilled"], "horizon": ["winning"]}
    assert run("agents", "--json").json["variants"] == {}


def test_a_games_settings_are_its_agents_defaults(tmp_path):
    file = tmp_path / "set.py"
    file.write_text(
        "from facedown.games.kuhn import Kuhn\n"
        "class Set(Kuhn):\n"
        "    settings = {'so-ismcts': {'c': 1.5}}\n"
    )
    agents = {a["name"]: a for a in run("agents", f"{file}:Set", "--json").json["agents"]}
    assert agents["so-ismcts"]["options"]["c"] == 1.5
    assert agents["mo-ismcts"]["options"]["c"] == 0.7


def test_a_game_without_a_scripted_player_says_so():
    spec = f"{EXAMPLES / 'bluff.py'}:Bluff"
    assert "this game has no" in " ".join(run("agents", spec).out.split())
    agents = {a["name"]: a for a in run("agents", spec, "--json").json["agents"]}
    assert agents["scripted"]["plays"] is False
    assert agents["scripted"]["lacks"] == "this game has no scripted player"


def test_a_game_without_secrets_says_who_cannot_play_it():
    spec = f"{SUPPORT / 'crooked_players.py'}:Broken"  # and it has no determinize
    agents = {agent["name"]: agent for agent in run("agents", spec, "--json").json["agents"]}
    assert agents["mga"]["plays"] is False
    assert "has no rule 'secret'" in agents["mga"]["lacks"]
    assert agents["so-ismcts"]["plays"]
    assert agents["hyperplay"]["plays"]
    assert agents["hyperplay"]["options"]["iterations"] is None
    assert agents["cheating-uct"]["plays"]
    assert agents["random"]["plays"]


def test_the_scripted_players_of_a_game_are_listed_after_the_others():
    listed = run("agents", "resistance", "--json").json["agents"]
    assert [agent["name"] for agent in listed] == [
        *AGENTS,
        "naive",
        "logical",
        "bluffer",
        "watchful",
        "reckoner",
        "adept",
    ]
    assert "approves no team that cannot be clean" in listed[-5]["summary"]
    assert listed[-1]["plays"] is True
    assert listed[-1]["options"] == {}


def test_a_reader_who_has_enough_is_no_error():
    """As `facedown games | head -1`: the pipe is closed before all of it is written."""
    reading, writing = os.pipe()
    os.close(reading)
    try:
        command = [sys.executable, "-m", "facedown", "games"]
        done = subprocess.run(command, stdout=writing, stderr=subprocess.PIPE, check=False)
    finally:
        os.close(writing)
    assert done.stderr == b""
    assert done.returncode == 1
