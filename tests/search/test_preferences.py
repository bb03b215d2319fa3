"""Preferences among kinds of moves: equations 1 and 2 of Dobre and Lascarides (2018)."""

import json
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from facedown.core import SpecError, Stream
from facedown.core.kinds import draw_kind, fill_shares
from facedown.search.preferences import (
    NEXT_TO_NOTHING,
    KindPolicy,
    Preferences,
    load_preferences,
)

BUILD, TRADE, END = 1, 2, 4
# by hand: 8 decisions; building legal in 4 (chosen 3), trading in 6 (1), ending in all (4)
COUNTS = {
    BUILD | END: (2, 0, 0),
    BUILD | TRADE | END: (1, 0, 1),
    TRADE | END: (0, 1, 3),
}
ASKED = Preferences("toy", ("build", "trade", "end"), COUNTS, {"from": "a table"})


def test_equation_1_by_hand():
    # build 3 of 4 times legal, trade 1 of 6, end 4 of 8
    assert ASKED.unconditioned() == pytest.approx([3 / 4, 1 / 6, 4 / 8])
    assert ASKED.decisions == 8
    total = 3 / 4 + 1 / 6
    assert ASKED.fall_back(BUILD | TRADE) == pytest.approx({0: 3 / 4 / total, 1: 1 / 6 / total})


def test_equation_2_by_hand():
    # under build, trade, end: 1/2, never, 1/2; trading gets equation 1's share of that set
    back = 1 / 6 / (3 / 4 + 1 / 6 + 1 / 2)
    whole = 1 + back
    expected = {0: 0.5 / whole, 1: back / whole, 2: 0.5 / whole}
    assert ASKED.conditioned(7) == pytest.approx(expected)
    assert ASKED.conditioned(7, "none") == pytest.approx({0: 0.5, 1: 0.0, 2: 0.5}, abs=1e-6)
    assert ASKED.conditioned(TRADE | END) == pytest.approx({1: 1 / 4, 2: 3 / 4})
    assert ASKED.conditioned(BUILD | TRADE) == ASKED.fall_back(BUILD | TRADE)


def test_a_kind_that_was_never_legal_is_as_likely_as_the_others_are():
    known = Preferences("toy", ("build", "trade", "roll"), {3: (1, 3, 0)}, {})
    assert known.unconditioned() == [0.25, 0.75, None]
    assert known.fall_back(7) == pytest.approx({0: 0.25 / 1.5, 1: 0.5, 2: 0.5 / 1.5})


def test_a_kind_that_was_never_chosen_is_next_to_impossible_but_not_quite():
    known = Preferences("toy", ("build", "trade"), {3: (4, 0)}, {})
    assert 0 < known.fall_back(3)[1] <= NEXT_TO_NOTHING
    assert known.fall_back(2) == {1: 1.0}


@pytest.mark.parametrize("reading", ["uniform", "unconditioned", "conditioned"])
@pytest.mark.parametrize("legal", range(1, 8))
def test_compiled_tables_say_what_the_equations_do(reading, legal):
    policy, shares = KindPolicy(3, ASKED, reading), np.zeros(3)
    fill_shares(policy.address, legal, shares)
    members = [k for k in range(3) if legal >> k & 1]
    expected = {
        "uniform": dict.fromkeys(members, 1 / len(members)),
        "unconditioned": ASKED.fall_back(legal),
        "conditioned": ASKED.conditioned(legal),
    }[reading]
    assert {k: s for k, s in enumerate(shares) if s} == pytest.approx(expected)


def test_kinds_are_drawn_as_often_as_they_are_likely():
    policy, stream = KindPolicy(3, ASKED, "conditioned"), Stream(1)
    drawn = Counter(int(draw_kind(policy.address, 7, stream.address)) for _ in range(20_000))
    for kind, share in ASKED.conditioned(7).items():
        assert drawn[kind] / 20_000 == pytest.approx(share, abs=0.012)


def test_one_legal_kind_draws_nothing():
    policy, stream = KindPolicy(3, ASKED, "conditioned"), Stream(1)
    before = stream.state
    assert draw_kind(policy.address, TRADE, stream.address) == 1
    assert stream.state == before


@given(st.dictionaries(st.integers(1, 2**12 - 1), st.integers(1, 50), max_size=80))
def test_many_sets_are_all_found_again(met):
    kinds = tuple(f"kind {k}" for k in range(12))
    first = {bits: (bits & -bits).bit_length() - 1 for bits in met}
    sets = {bits: tuple(n if k == first[bits] else 0 for k in range(12)) for bits, n in met.items()}
    known, shares = Preferences("toy", kinds, sets, {}), np.zeros(12)
    policy = KindPolicy(12, known, "conditioned", "none")
    for bits in met:
        fill_shares(policy.address, bits, shares)
        assert shares[first[bits]] == pytest.approx(1.0, abs=1e-6)


def test_saved_and_read_again(tmp_path: Path):
    ASKED.save(tmp_path / "prefs.json")
    assert load_preferences(tmp_path / "prefs.json") == ASKED
    turned = load_preferences(tmp_path / "prefs.json", ("end", "roll", "trade", "build"))
    assert turned.sets[0b1001] == (0, 0, 0, 2)
    assert turned.unconditioned() == pytest.approx([1 / 2, None, 1 / 6, 3 / 4])


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("no json", "is not JSON"),
        ("[" * 100_000, "is not JSON"),
        ("[]", "its format is not"),
        ('{"format": "facedown preferences 1"}', "'kinds' is missing"),
        (json.dumps({**ASKED.to_json(), "kinds": ["x"]}), "holds no preferences"),
        (json.dumps({**ASKED.to_json(), "kinds": []}), "holds no preferences"),
        (
            json.dumps(
                {**ASKED.to_json(), "decisions": [{"legal": ["end"], "chosen": {"end": -1}}]}
            ),
            "chosen -1 times",
        ),
        (
            json.dumps(
                {**ASKED.to_json(), "decisions": [{"legal": ["end"], "chosen": {"build": 1}}]}
            ),
            "build was chosen 1 times where end were legal",
        ),
        (
            json.dumps(
                {**ASKED.to_json(), "decisions": [{"legal": ["end"], "chosen": {"end": 0.5}}]}
            ),
            "a whole number is wanted",
        ),
        (json.dumps({**ASKED.to_json(), "decisions": [{"legal": [], "chosen": {}}]}), "no set"),
    ],
)
def test_files_that_hold_no_preferences_are_told(tmp_path: Path, content, said):
    file = tmp_path / "prefs.json"
    file.write_text(content)
    with pytest.raises(SpecError, match=said):
        load_preferences(file)


def test_kinds_that_the_game_does_not_have_are_told(tmp_path: Path):
    ASKED.save(tmp_path / "prefs.json")
    with pytest.raises(SpecError, match="build, trade, end are none of the game's: pass, bet"):
        load_preferences(tmp_path / "prefs.json", ("pass", "bet"))
    with pytest.raises(SpecError, match="cannot be read"):
        load_preferences(tmp_path / "nowhere.json")
    with pytest.raises(SpecError, match="want preferences"):
        KindPolicy(3, None, "conditioned")
