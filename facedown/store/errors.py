"""What can go wrong with a store."""

from __future__ import annotations

import errno
import os
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from facedown.core.errors import FacedownError
from facedown.shown import clipped


class StoreError(FacedownError):
    """A store that cannot be read or written; says which, why, and what is left of it."""


class HeldError(StoreError):
    """Another process is at it; says which."""


class FullError(StoreError):
    """There is no space left; what was kept before is whole."""


_LITTLE = 1 << 16  # bytes: what SQLite may want for a file beside the store
_DAMAGED = ("malformed", "not a database", "file is encrypted", "corrupt")


@contextmanager
def told(path: str) -> Iterator[None]:
    """Say in our own words what SQLite raises within the block about the store at `path`."""
    try:
        yield
    except sqlite3.Error as error:
        raise explained(error, path) from error
    except UnicodeDecodeError as error:  # of SQLite's own words, with names of a damaged schema
        raise StoreError(f"the store {path} is damaged; it is left as it is") from error
    except OSError as error:
        if error.errno == errno.ENOSPC:
            raise FullError(_full(path)) from error
        raise StoreError(f"cannot use the store {path}: {error.strerror}") from error


@contextmanager
def readable(path: str) -> Iterator[None]:
    """Say that the store at `path` is damaged where what it holds is not what it should be."""
    try:
        yield
    except (
        ValueError,
        KeyError,
        TypeError,
        AttributeError,
        ArithmeticError,
        RecursionError,
    ) as bad:
        what = clipped(f"{type(bad).__name__}: {bad}", 120)
        raise StoreError(f"the store {path} is damaged ({what}); it is left as it is") from bad


def check_texts(*values: Any) -> None:
    """TypeError where something is no text."""
    if not all(isinstance(value, str) for value in values):
        raise TypeError("a text is none")


def check_numbers(*values: Any) -> None:
    """TypeError where something is no number."""
    if not all(isinstance(value, int | float) for value in values):
        raise TypeError("a number is none")


def explained(error: sqlite3.Error, path: str) -> StoreError:
    """An error of SQLite's in words that say what to do."""
    what = str(error)
    if "disk is full" in what or ("disk I/O" in what and _no_space(path)):
        return FullError(_full(path))
    if any(word in what for word in _DAMAGED):
        return StoreError(
            f"the store {path} is damaged ({what}); it is left as it is: "
            "put a copy in its place, or name another by --store"
        )
    if "locked" in what or "busy" in what:
        return HeldError(f"the store {path} is being written by another process; try again later")
    if "readonly" in what or "unable to open" in what:
        return StoreError(f"cannot write the store {path}: {what}")
    if "no such table" in what or "no such column" in what:
        return StoreError(f"the store {path} is damaged ({what}); it is left as it is")
    return StoreError(f"the store {path} cannot be used: {what}")


def _no_space(path: str) -> bool:
    """Whether the disk of the store has next to nothing left."""
    try:
        return shutil.disk_usage(os.path.dirname(path) or ".").free < _LITTLE
    except OSError:
        return False


def _full(path: str) -> str:
    return (
        f"no space left for the store {path}: what was kept before is whole; "
        "with more space, or another --store, the same command goes on"
    )
