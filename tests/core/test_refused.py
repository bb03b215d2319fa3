"""What Numba cannot compile is told in one line: the rule, the line, what to change."""

import pytest

from facedown.core import RuleError
from facedown.core.jit import JIT
from facedown.games.registry import load_game
from support import EXAMPLES

pytestmark = pytest.mark.skipif(not JIT, reason="nothing is compiled without the JIT")
WHOLE = (EXAMPLES / "fast_bluff.py").read_text()
FAULTS = {
    "field": ('s["n"] += 1', 's["m"] += 1', "the State has no field 'm'"),
    "global": ('n = int(s["n"])', "n = NAMES_BY_CARD[0]", "NAMES_BY_CARD is none of these"),
    "unknown": ('n = int(s["n"])', "n = wrong", "wrong is not defined|wrong is none of these"),
}


@pytest.mark.parametrize("name", FAULTS)
def test_a_rule_that_cannot_be_compiled_is_told_with_its_line(name, tmp_path):
    right, wrong, hint = FAULTS[name]
    assert WHOLE.count(right) == 1
    text = WHOLE.replace(right, wrong) + "\n\nNAMES_BY_CARD = {0: 'ace'}\n"
    file = tmp_path / f"faulty_{name}.py"
    file.write_text(text)
    line = 1 + text[: text.index(wrong)].count("\n")
    with pytest.raises(RuleError, match=hint) as caught:
        load_game(f"{file}:Bluff")
    told = str(caught.value)
    assert f"{file}:{line}: " in told
    assert f"rule {caught.value.rule!r} cannot be compiled" in told
    assert "\n" not in told
