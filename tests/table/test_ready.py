"""Games are loaded once, nobody waits for another's, and nothing is compiled among the tables."""

import threading
from typing import ClassVar

import pytest

from facedown.core import SpecError
from facedown.core.jit import NotCompiledError
from facedown.table import ready
from facedown.table.ready import Ready

PATIENCE = 60.0


class Beside:
    """Stands in for the process that compiles: notes what it is asked for."""

    asked: ClassVar[list] = []

    def __init__(self, steps, *, wanted, patient):
        self.steps, self.killed = steps, threading.Event()
        assert wanted
        Beside.asked.append((*steps, patient))

    def wait(self, step):
        assert step in self.steps

    def kill(self):
        self.killed.set()

    def close(self):
        self.kill()


@pytest.fixture
def beside(monkeypatch):
    monkeypatch.setattr(ready, "Ahead", Beside)
    Beside.asked = []
    return Beside


def test_who_wants_a_game_waits_for_nobody_who_wants_another(monkeypatch):
    slow, done = threading.Event(), threading.Event()

    def load(spec):
        if spec == "slow":
            slow.set()
            assert done.wait(PATIENCE)
        return f"the game {spec}"

    monkeypatch.setattr(ready, "load_game", load)
    games = Ready()
    waiting = threading.Thread(target=games.load, args=("slow",))
    waiting.start()
    assert slow.wait(PATIENCE)
    assert games.load("quick") == "the game quick"
    done.set()
    waiting.join()
    assert games.load("slow") == "the game slow"


def test_a_game_is_loaded_once_however_many_ask_for_it(monkeypatch):
    loaded, all_there = [], threading.Barrier(8)
    monkeypatch.setattr(ready, "load_game", lambda spec: loaded.append(spec) or object())
    games, found = Ready(), []

    def ask():
        all_there.wait(PATIENCE)
        found.append(games.load("kuhn"))

    threads = [threading.Thread(target=ask) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert loaded == ["kuhn"]
    assert len(set(map(id, found))) == 1


def test_what_is_not_compiled_yet_is_compiled_beside(monkeypatch, beside):
    def load(spec):
        if not beside.asked:
            raise NotCompiledError("settlers: legal")
        return "the game"

    monkeypatch.setattr(ready, "load_game", load)
    assert Ready().load("settlers") == "the game"
    assert beside.asked == [(("settlers", ()), False)]


def test_warming_up_is_patient_and_goes_on_after_what_cannot_be_played(monkeypatch, beside):
    made = []

    def make(agent, game, player, seed):
        if (agent, game) == ("best", "b") and not beside.asked:
            raise NotCompiledError("b: legal")
        made.append((game, agent))

    def load(spec):
        if spec == "a":
            raise SpecError("no game 'a'")
        return spec

    monkeypatch.setattr(ready, "load_game", load)
    monkeypatch.setattr(ready, "make_agent", make)
    games = Ready()
    games.warm_up([("a", "best"), ("b", "best"), ("b", "so-ismcts"), ("b", "best")])
    assert made == [("b", "best"), ("b", "so-ismcts")]
    assert beside.asked == [(("b", ("best",)), True)]


def test_a_server_that_ends_compiles_no_more(monkeypatch, beside):
    def load(spec):
        raise NotCompiledError("settlers: legal")

    monkeypatch.setattr(ready, "load_game", load)
    games = Ready()
    games.close()
    with pytest.raises(SpecError, match="being ended"):
        games.load("settlers")
    assert beside.asked == []


def test_only_so_many_games_are_kept(monkeypatch):
    monkeypatch.setattr(ready, "load_game", lambda spec: object())
    monkeypatch.setattr(ready, "MOST_KEPT", 3)
    games = Ready()
    kept = [games.load(name) for name in "abc"]
    assert games.load("a") is kept[0]
    games.load("d")
    assert games.load("a") is kept[0]
    assert games.load("b") is not kept[1]
