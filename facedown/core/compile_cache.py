"""Compiled code on disk: a folder for each function, sealed when it is whole.

A folder's name is a digest of all that decides the machine code (`core.reach`), so that it does not
matter where the sources lie, and nothing is ever overwritten. Code is compiled into a folder aside,
sealed with the digests of its files, and then moved to its place at once. What is read is unpickled
by Numba: so only folders that belong to the user are read, and what does not agree with its seal is
set aside and compiled anew.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import stat
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

import numba
import numpy as np
from numba.core import config

SEAL, MODULE = "seal.json", "module"
_LOCATOR = f"{__name__}.Locator"


class Locator:
    """Tells Numba that a function is cached in `config.CACHE_DIR` itself, whatever its file."""

    @classmethod
    def from_function(cls, function: Any, file: str) -> Locator:
        """Numba asks for one of each function."""
        return cls()

    def get_cache_path(self) -> str:
        """The folder."""
        return str(config.CACHE_DIR)

    def get_source_stamp(self) -> str:
        """Stands for the sources; the folder's own name does."""
        return ""

    def get_disambiguator(self) -> str:
        """Sets functions of one name apart; they have a folder each."""
        return ""

    def ensure_cache_path(self) -> None:
        """The folder is there."""


def cache_root() -> Path:
    """Where compiled code is kept: $FACEDOWN_CACHE, or the user's cache folder."""
    if base := os.environ.get("FACEDOWN_CACHE"):
        return Path(base)
    if base := os.environ.get("XDG_CACHE_HOME"):
        return Path(base) / "facedown"
    try:
        return Path.home() / ".cache" / "facedown"
    except RuntimeError:  # nobody's home
        return Path(tempfile.gettempdir()) / f"facedown-{os.geteuid()}"


@cache
def settings() -> tuple[str, ...]:
    """What decides machine code beside the function; of the processor Numba takes care."""
    versions = (numba.__version__, np.__version__, "{}.{}".format(*sys.version_info[:2]))
    return (*versions, f"bounds {config.BOUNDSCHECK}")


def place_of(function: Any, digest: str) -> Path:
    """The folder of a function.

    Numba finds what it keeps by the name of the function's file: the same code in a file of
    another name has a folder of its own.
    """
    place = cache_root() / "compiled" / f"{function.__name__}-{digest}"
    file = Path(function.__code__.co_filename).stem.replace("<", "").replace(">", "")  # as it does
    others = place.is_dir() and not any(one.name.startswith(f"{file}.") for one in place.iterdir())
    return place.with_name(f"{place.name}-{file}") if others else place


def is_whole(place: Path) -> bool:
    """Whether a folder is there, the user's own, and as it was sealed.

    One that is damaged is set aside, and told of on the standard error.
    """
    if not place.is_dir() or not (_own(place.parent) and _own(place)):
        return False
    try:
        sealed = json.loads((place / SEAL).read_bytes())
        if sealed == _digests(place):
            return True
    except (OSError, ValueError):
        pass
    discard(place, "is damaged")
    return False


def discard(place: Path, why: str) -> None:
    """Set a folder aside, with one line that says so."""
    aside = place.with_name(f"{place.name}.damaged-{os.getpid()}")
    try:
        place.rename(aside)
        shutil.rmtree(aside, ignore_errors=True)
    except OSError:
        return  # gone already, or not ours to move
    print(f"facedown: compiled code {why} and is compiled anew: {place}", file=sys.stderr)


@contextmanager
def reading(place: Path, module: str) -> Iterator[None]:
    """Numba's cache, within this block, in this folder, of a function of this module.

    Numba keeps the name of a function's module and imports that. A file of a user's own has a name
    by where it lies; so the name that the file had when the code was compiled stands for it too.
    """
    before = config.CACHE_DIR, config.CACHE_LOCATOR_CLASSES
    config.CACHE_DIR, config.CACHE_LOCATOR_CLASSES = str(place), _LOCATOR
    stands_in = _earlier_name(place)
    if stands_in in sys.modules or module not in sys.modules:
        stands_in = None
    if stands_in is not None:
        sys.modules[stands_in] = sys.modules[module]
    try:
        yield
    finally:
        config.CACHE_DIR, config.CACHE_LOCATOR_CLASSES = before
        if stands_in is not None:
            del sys.modules[stands_in]


def _earlier_name(place: Path) -> str | None:
    """The name that the module had when a folder's code was compiled."""
    try:
        return (place / MODULE).read_text(encoding="utf-8")
    except (OSError, ValueError):
        return None


@contextmanager
def writing(place: Path, module: str) -> Iterator[bool]:
    """The same for what is compiled now: it comes to its place at the end of the block.

    False where nothing can be written, and the code is to be compiled without a cache.
    """
    aside = _aside(place)
    if aside is None:
        yield False
        return
    try:
        with reading(aside, module):
            yield True
        _seal(aside, place, module)
    finally:
        shutil.rmtree(aside, ignore_errors=True)


def _aside(place: Path) -> Path | None:
    """A new folder beside the place; None where there can be none."""
    try:
        place.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        if not _own(place.parent):
            return None
        return Path(tempfile.mkdtemp(prefix=".new-", dir=place.parent))
    except OSError:
        return None


def _seal(aside: Path, place: Path, module: str) -> None:
    """Bring a folder to its place; where another process was faster, that one's stays."""
    try:
        if not any(aside.iterdir()):
            return  # it cannot be cached
        (aside / MODULE).write_text(module, encoding="utf-8")
        (aside / SEAL).write_text(json.dumps(_digests(aside)))
        aside.rename(place)
    except OSError:
        pass  # it is compiled anew next time


def _digests(place: Path) -> dict[str, str]:
    """The digests of the files of a folder."""
    files = sorted(file for file in place.iterdir() if file.name != SEAL)
    return {file.name: hashlib.sha256(file.read_bytes()).hexdigest() for file in files}


def _own(place: Path) -> bool:
    """Whether a folder is the user's, and nobody else can write to it."""
    if not hasattr(os, "geteuid"):
        return True
    found = place.stat()
    mine = found.st_uid == os.geteuid() and not found.st_mode & (stat.S_IWGRP | stat.S_IWOTH)
    if not mine:
        _tell_once(place)
    return mine


@cache
def _tell_once(folder: Path) -> None:
    what = "belongs to others too, or can be written by them: compiled code there is not used"
    print(f"facedown: {folder} {what}", file=sys.stderr)
