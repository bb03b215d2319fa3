"""New files: written only where nothing is, or over a regular file where that is asked for."""

from __future__ import annotations

import os
import stat
from contextlib import suppress
from pathlib import Path

from facedown.core.errors import SpecError

_BLOCK = 4096


def check_new(file: Path, *, overwrite: bool = False) -> None:
    """SpecError where a new file could not be written; asked before anything is worked out for it.

    Nothing may be there but, to `overwrite`, a regular file. The folder must take a file of the
    length of a disk's block, and the name.
    """
    refuse_taken(file, overwrite=overwrite)
    part = part_of(file)
    try:
        with part.open("wb") as out:
            out.write(bytes(_BLOCK))
            out.flush()
            os.fsync(out.fileno())
    except OSError as error:
        raise SpecError(f"cannot write {file}: {error.strerror}") from None
    finally:
        _remove(part)


def refuse_taken(file: Path, *, overwrite: bool = False) -> None:
    """SpecError where something is at the place of a new file that may not be written over."""
    try:
        mode = file.lstat().st_mode
    except FileNotFoundError:
        return
    except OSError as error:
        raise SpecError(f"cannot write {file}: {error.strerror}") from None
    if not stat.S_ISREG(mode):
        what = "a folder" if stat.S_ISDIR(mode) else "no regular file"
        raise SpecError(f"cannot write {file}: it is {what}")
    if not overwrite:
        raise SpecError(f"{file} is there already, and is left as it is; --overwrite replaces it")


def part_of(file: Path) -> Path:
    """Where a file is written before it is moved to its place."""
    return file.with_name(f".{file.name}.{os.getpid()}.part")


def place_new(part: Path, file: Path, *, overwrite: bool = False) -> None:
    """Move what was written to its place, in one step; SpecError where that is taken."""
    refuse_taken(file, overwrite=overwrite)
    try:
        if overwrite:
            os.replace(part, file)
            return
        try:
            os.link(part, file)
        except FileExistsError:
            refuse_taken(file)
        except OSError:  # a file system without links
            os.rename(part, file)
    except OSError as error:
        raise SpecError(f"cannot write {file}: {error.strerror}") from None
    finally:
        _remove(part)


def _remove(part: Path) -> None:
    with suppress(OSError):
        part.unlink(missing_ok=True)
