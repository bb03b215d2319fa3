"""Rule files of strangers: tried apart, within limits, and kept by a plain name."""

import pytest

from facedown.core.errors import SpecError
from facedown.core.places import data_folder
from facedown.games.registry import load_game
from facedown.gdl import library, stranger
from facedown.store.store import Store
from facedown.table.house import House

_PLAIN = """
(role white) (init (at 0)) (succ 0 1) (succ 1 2)
(<= (legal white step) (true (at ?x)))
(<= (next (at ?y)) (true (at ?x)) (succ ?x ?y))
(<= terminal (true (at 2))) (<= (goal white 100) terminal) (<= (goal white 0) (not terminal))
"""
_DEEPER = _PLAIN.replace(
    "(next (at ?y)) (true (at ?x)) (succ ?x ?y)", "(next (at (s ?x))) (true (at ?x))"
)
_ENDLESS = _PLAIN.replace("(succ 1 2)", "(succ 1 0)")
_WIDE = _PLAIN + "".join(f"(d {k})" for k in range(200)) + """
(<= (wide ?a ?b ?c ?d) (d ?a) (d ?b) (d ?c) (d ?d) (true (at ?a)))
(<= (legal white noop) (wide ?a ?b ?c ?d) (true (at ?d)) (true (at ?b)))
"""  # fmt: skip


@pytest.fixture(autouse=True)
def _own_folder(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))


def kept():
    return sorted(file.name for file in (data_folder() / "rules").glob("*"))


def test_what_can_be_played_is_kept_once_and_found_by_its_name(tmp_path):
    with Store(tmp_path / "store.db") as store, House(store) as house:
        spec = house.upload(_PLAIN.encode(), "../../My Game!.kif")
        assert house.upload(_PLAIN.encode(), "../../My Game!.kif") == spec
    assert spec.startswith("gdl:my-game-")
    assert len(kept()) == 1
    assert load_game(spec).players == 1
    assert not library.is_kept("../my-game-0123456789abcdef")


@pytest.mark.parametrize(
    ("rules", "words"),
    [
        (b"\xff\xfe", "no text in UTF-8"),
        (b"(role white)) )", r"mine:\d+:\d+: "),
        (b"", "role"),
        (_DEEPER.encode(), r"too large to be played here: .* deep"),
        (_ENDLESS.encode(), "did not end within 3,000 steps"),
        (_PLAIN.encode() + b" " * stranger.MOST_BYTES, "200,000 are allowed"),
    ],
)
def test_what_cannot_is_refused_in_one_line_and_nothing_is_kept(tmp_path, rules, words):
    with (
        Store(tmp_path / "store.db") as store,
        House(store) as house,
        pytest.raises(SpecError, match=words) as refused,
    ):
        house.upload(rules, "mine.kif")
    assert "\n" not in str(refused.value)
    assert kept() == []


def test_rules_that_take_for_ever_are_ended():
    """By the limits of the grounding, or of the whole process."""
    with pytest.raises(SpecError, match=r"too large|CPU time|more than"):
        stranger.tried(_WIDE.encode(), "wide")
