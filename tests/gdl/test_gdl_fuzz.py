"""Rules with something cut out or put in are played, or refused in a line, in bounded time."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from facedown.core import SpecError
from facedown.gdl.checks import check_rules
from facedown.gdl.library import find
from facedown.gdl.lifted import Lifted
from facedown.gdl.reader import read
from facedown.gdl.simulate import play

SOUND = find("exploding-bomb").read_text()
KEYWORDS = [
    "role",
    "init",
    "true",
    "next",
    "legal",
    "does",
    "goal",
    "terminal",
    "sees",
    "not",
    "or",
]
WORDS = st.sampled_from(["(", ")", "(<=", *KEYWORDS, "distinct", "?x", "a", "(f ?x)", ";", "\x00"])
WILD = st.one_of(st.text(max_size=20), st.lists(WORDS, max_size=8).map(" ".join))


def refusal(text: str) -> str:
    """What is said of rules that cannot be meant; else a game is played by them."""
    try:
        description = read(text, "fuzz.kif")
        assert read(str(description)).rules == description.rules
        if not any(finding.severity == "error" for finding in check_rules(description)):
            play(Lifted(description), games=1, seconds=0.2, steps=20, seed=0)
    except SpecError as error:
        return str(error)
    return "fuzz.kif:"


@settings(max_examples=60)
@given(st.data())
def test_damaged_rules(data):
    start = data.draw(st.integers(0, len(SOUND)))
    end = data.draw(st.integers(start, min(start + 40, len(SOUND))))
    said = refusal(SOUND[:start] + data.draw(WILD) + SOUND[end:])
    assert said.startswith("fuzz.kif:")
    assert len(said) < 250
    assert "\n" not in said
