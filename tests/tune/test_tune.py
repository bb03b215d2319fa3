"""`facedown tune`: a planted optimum, resuming, the model, and what cannot be meant."""

import pytest

from facedown.core import SpecError, Stream
from facedown.games.registry import load_game
from facedown.store.store import MEMORY, Store
from facedown.tune.ntuple import Model
from facedown.tune.page import page, verdict
from facedown.tune.space import space_of
from facedown.tune.tuner import Tuner
from support import SUPPORT
from support.running import run

FILE = SUPPORT / "tuned_players.py"
CONTEST, PLANTED = f"{FILE}:Contest", f"{FILE}:Planted"
OVER = {"x": list("01234"), "y": list("01234"), "z": list("01")}


@pytest.fixture(scope="module")
def tuned():
    space = space_of(load_game(CONTEST), PLANTED, OVER, ("iterations", "10"))
    with Store(MEMORY) as store:
        yield Tuner(space, store, games=1000, seed=1).play()


def test_a_planted_optimum_is_found(tuned):
    """x=3 and y=2 win 18 of 20 games from the default; y counts half as much as x."""
    assert ":x=3,y=2" in tuned.best
    assert tuned.better
    assert tuned.gain.low < 0.8 < tuned.gain.high
    assert tuned.influences[0].name == "x"
    assert tuned.influences[-1].name == "z"
    assert "it is better" in verdict(tuned)


def test_the_race_drops_what_is_worse_and_the_page_says_why(tuned):
    first = tuned.rungs[0]
    assert len(first.gains) == 16
    assert len(tuned.rungs[1].gains) <= 8
    assert set(first.dropped) | set(tuned.rungs[1].gains) == set(first.gains)
    text = page(tuned)
    assert "What mattered" in text
    assert "in the lower half" in text
    assert "https://" not in text


def test_a_default_that_is_best_stays(tmp_path):
    """Whoever is shown to be worse than the default is out before its half is."""
    words = ("tune", CONTEST, f"{PLANTED}:x=3", "--over", "y=2,0,4", "--games", "80",
             "--jobs", "1", "--store", str(tmp_path / "store.db"))  # fmt: skip
    first = run(*words, "--json", "--out", str(tmp_path / "page.html"))
    assert first.json["best"].endswith("y=2")
    again = run(*words)  # all of it is there
    assert first.json["best"] in again.out.replace("\n", "")
    assert (tmp_path / "page.html").read_text().startswith("<!doctype html>")
    assert "with fresh seeds" in " ".join(again.out.lower().split())


def test_the_model_learns_from_all_that_shares_a_value():
    model = Model(2)
    for other in range(3):
        model.add((0, other), 1.0, 10)
        model.add((1, other), -1.0, 10)
    assert model.single(0, 0).mean == 1.0
    assert model.mean((0, 3)) > 0 > model.mean((1, 3))  # neither was ever tried
    assert model.bound((0, 3), 1.0) > model.bound((0, 2), 1.0)  # there is more to find
    assert model.spread == pytest.approx(1.0)


def test_a_neighbour_is_another_place():
    space = space_of(load_game("kuhn"), None, {}, ("cpu", "0.01"))
    stream, here = Stream(1), (0,) * len(space.names)
    assert space.names[:2] == ("recipe", "c")
    for _ in range(50):
        there = space.neighbour(here, stream)
        assert there != here
        assert space.spec(there).partition(":")[0] in space.families
        here = there


def test_what_cannot_be_meant_is_refused():
    kuhn = load_game("kuhn")
    for over, words in (({"nothing": ["1", "2"]}, "no option"), ({"c": ["-1", "2"]}, "at least 0")):
        with pytest.raises(SpecError, match=words):
            space_of(kuhn, "so-ismcts", over, ("cpu", "0.01"))
    with pytest.raises(SpecError, match="nothing to choose"):
        space_of(kuhn, "so-ismcts", {"c": ["1"]}, ("cpu", "0.01"))
    few = run("tune", "kuhn", "so-ismcts", "--games", "5")
    assert (few.status, "at least 40 is wanted" in few.err) == (2, True)
