"""The tests' own house rules."""

import ast
from collections import Counter

import pytest

from support import SUPPORT, TESTS

FILES = sorted(TESTS.rglob("*.py"))


def imported(file):
    """The names of all modules that a file imports, wherever it does."""
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield node.module


@pytest.mark.parametrize("file", FILES, ids=lambda file: str(file.relative_to(TESTS)))
def test_no_test_imports_another(file):
    assert [name for name in imported(file) if name.split(".")[-1].startswith("test_")] == []


def test_what_tests_share_lies_in_one_folder():
    shared = [file for file in FILES if not file.name.startswith("test_")]
    helpers = [file for file in shared if file.name != "conftest.py"]
    assert all(file.is_relative_to(SUPPORT) for file in helpers)


def test_no_two_files_of_tests_have_one_name():
    """pytest takes the second for the first, and collects neither."""
    names = Counter(file.name for file in FILES if file.name.startswith("test_"))
    assert [name for name, count in names.items() if count > 1] == []
