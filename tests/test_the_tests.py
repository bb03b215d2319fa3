"""The tests' own house rules."""

import ast
from collections import Counter

import pytest

from support import SUPPORT, TESTS

FILES = sorted(TESTS.rglob("*.py"))
OWN = ("self", "cls")
DOCUMENTED = ("_exit", "_replace", "_fields")  # of `os`, of named tuples: underscored front doors
PATCHING = ("setattr", "delattr")


def imported(file):
    """The names of all modules that a file imports, wherever it does."""
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield node.module


def private(name):
    """Whether a name is somebody's own.

    >>> [name for name in ("walk", "_walk", "_repr_svg_", "__init__", "_") if private(name)]
    ['_walk']
    """
    return name.startswith("_") and not name.endswith("_")


def private_names(file):
    """The private names of others that a file uses: attributes, imports, what it patches."""
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Attribute):
            if node.attr not in DOCUMENTED and ast.unparse(node.value) not in OWN:
                yield node.attr
        elif isinstance(node, ast.ImportFrom):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.Call) and getattr(node.func, "attr", "") in PATCHING:
            named = (word.value for word in node.args[:2] if isinstance(word, ast.Constant))
            yield from (str(name).split(".")[-1] for name in named)


def test_tests_know_the_front_doors():
    found = {file: [name for name in private_names(file) if private(name)] for file in FILES}
    assert {file: names for file, names in found.items() if names} == {}


@pytest.mark.parametrize(
    "line",
    ["bag._walk(3)", "from facedown.store import _made", "patch.setattr(statistics, '_SHARE', 1)"],
)
def test_a_private_name_is_found(tmp_path, line):
    file = tmp_path / "some.py"
    file.write_text(line + "\n")
    assert [name for name in private_names(file) if private(name)]


def test_no_test_imports_another():
    found = {file: [name for name in imported(file) if is_test(name)] for file in FILES}
    assert {file: names for file, names in found.items() if names} == {}


def is_test(module):
    return module.split(".")[-1].startswith("test_")


def test_what_tests_share_lies_in_one_folder():
    shared = [file for file in FILES if not file.name.startswith("test_")]
    helpers = [file for file in shared if file.name != "conftest.py"]
    assert all(file.is_relative_to(SUPPORT) for file in helpers)


def test_no_two_files_of_tests_have_one_name():
    """pytest takes the second for the first, and collects neither."""
    names = Counter(file.name for file in FILES if file.name.startswith("test_"))
    assert [name for name, count in names.items() if count > 1] == []
