"""Files that appear whole or not at all."""

from __future__ import annotations

import os
from pathlib import Path

from facedown.core.errors import SpecError


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


def write_whole(file: Path, content: str | bytes) -> None:
    """Write a file beside its place and move it there, which replaces an older one in one step.

    Its folder exists.
    """
    data = content.encode() if isinstance(content, str) else content
    part = file.with_name(f".{file.name}.{os.getpid()}.part")
    try:
        with part.open("wb") as out:
            out.write(data)
            out.flush()
            os.fsync(out.fileno())
        os.replace(part, file)
    except OSError as error:
        part.unlink(missing_ok=True)
        raise SpecError(f"cannot write {file}: {error.strerror}") from None
