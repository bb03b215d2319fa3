"""Files that appear whole or not at all."""

from __future__ import annotations

import os
import stat
from contextlib import suppress
from pathlib import Path

from facedown.core.errors import SpecError

_BLOCK = 4096


def make_folder(folder: Path) -> None:
    """Make a folder that files can be written to; SpecError where that cannot be."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise SpecError(f"cannot write to {folder}: {error.strerror}") from None
    if not os.access(folder, os.W_OK):
        raise SpecError(f"cannot write to {folder}: it is read-only")


def check_place(out: Path) -> None:
    """SpecError where no file can be written; asked before anything is worked out for it."""
    if out.is_dir() or not out.parent.is_dir():
        raise SpecError(f"{out} cannot be written: a file in a folder that exists is wanted")


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
        mode = file.stat().st_mode
    except FileNotFoundError:
        if not file.is_symlink():
            return
        raise SpecError(f"cannot write {file}: it is a link to nowhere") from None
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
            os.replace(part, file.resolve())
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


def write_whole(file: Path, content: str | bytes) -> None:
    """Write a file beside its place and move it there, which replaces an older one in one step.

    Its folder exists.
    """
    data = content.encode() if isinstance(content, str) else content
    part = part_of(file)
    try:
        with part.open("wb") as out:
            out.write(data)
            out.flush()
            os.fsync(out.fileno())
        os.replace(part, file)
    except OSError as error:
        part.unlink(missing_ok=True)
        raise SpecError(f"cannot write {file}: {error.strerror}") from None
