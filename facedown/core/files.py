"""Files that appear whole or not at all, and never in the place of what is no file."""

from __future__ import annotations

import errno
import hashlib
import os
import stat
import sys
from contextlib import suppress
from itertools import count
from pathlib import Path
from typing import IO

from facedown.core.errors import SpecError

if sys.platform != "win32":
    import fcntl

_BLOCK = 4096
_numbers = count()


def make_folder(folder: Path) -> None:
    """Make a folder that files can be written to; SpecError where that cannot be."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        _try_out(folder / "file")
    except (OSError, ValueError) as error:
        raise SpecError(f"cannot write to {folder}: {_reason(error)}") from None


def write_whole(file: Path, content: str | bytes) -> None:
    """Write a file of the program's own, in place of an older one, in one step.

    Its folder exists. SpecError where what is there is no regular file.
    """
    _kind(file)
    part = part_of(file)
    try:
        _write(part, content)
        os.replace(part, file)
    except (OSError, ValueError) as error:
        raise SpecError(f"cannot write {file}: {_reason(error)}") from None
    finally:
        _remove(part)


def unhurried(path: str, flags: int) -> int:
    """An `opener` for files of strangers: a pipe that nobody writes to is empty, and keeps nobody
    waiting."""
    descriptor = os.open(path, flags | getattr(os, "O_NONBLOCK", 0))
    if hasattr(os, "O_NONBLOCK"):
        os.set_blocking(descriptor, True)
    return descriptor


def read_bounded(file: str | Path, most: int) -> bytes:
    """All of a file of strangers; OSError where it has more bytes, as a device without end has."""
    with open(file, "rb", opener=unhurried) as source:
        data = source.read(most + 1)
    if len(data) > most:
        raise OSError(errno.EFBIG, f"it is larger than {most:,} bytes", str(file))
    return data


class NewFile:
    """A place for a file that is written at a user's wish, where nothing is.

    To be made before anything is worked out for it: SpecError says why nothing could be written
    there (something is there; no such folder; read-only; no space for a disk's block; a name that
    is too long). Only a regular file may be written over, and only to `overwrite`. What others put
    there meanwhile stays, and the new file gets a name beside it: none of two who write is lost.

    A link stands for what it leads to.
    """

    def __init__(self, path: str | Path, *, overwrite: bool = False) -> None:
        self.given, self._overwrite = Path(path), overwrite
        try:
            self.file = Path(os.path.realpath(path))
        except (OSError, ValueError) as error:
            raise SpecError(f"cannot write {path}: {_reason(error)}") from None
        self._found = _kind(self.given, self.file)
        self.part = part_of(self.file)  # where it is written before it gets its name
        if self._found is not None and not overwrite:
            raise SpecError(
                f"{path} is there already, and is left as it is; --overwrite replaces it"
            )
        try:
            _try_out(self.file)
        except (OSError, ValueError) as error:
            raise SpecError(f"cannot write {path}: {_reason(error)}") from None

    def write(self, content: str | bytes) -> Path:
        """Write it at once; where it is now."""
        try:
            _write(self.part, content)
        except (OSError, ValueError) as error:
            self.drop()
            raise SpecError(f"cannot write {self.given}: {_reason(error)}") from None
        return self.place()

    def place(self) -> Path:
        """Give what was written to `part` its name, in one step; where it is now."""
        try:
            if self._found is not None and _kind(self.given, self.file) == self._found:
                os.replace(self.part, self.file)
                return self.given
            for name in self._names():
                with suppress(FileExistsError):
                    _link(self.part, name)
                    return self.given if name == self.file else name
            raise SpecError(f"cannot write {self.given}: all names beside it are taken")
        except OSError as error:
            raise SpecError(f"cannot write {self.given}: {_reason(error)}") from None
        finally:
            self.drop()

    def _names(self) -> list[Path]:
        """The name that is wanted, and those that stand in where others have taken it."""
        beside = [f"{self.file.stem}-{k}{self.file.suffix}" for k in range(2, 1000)]
        return [self.file, *map(self.file.with_name, beside)]

    def drop(self) -> None:
        """Leave nothing of what was written to `part`."""
        _remove(self.part)


def lock(file: IO[bytes] | IO[str], *, wait: bool = True) -> None:
    """Have a file for oneself until it is closed; BlockingIOError instead of a `wait`.

    Nothing on systems without such locks.
    """
    if sys.platform != "win32":
        fcntl.flock(file, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))


def part_of(file: Path) -> Path:
    """A name beside a file, to write it under before it is moved to its place; a new one each."""
    name = hashlib.sha256(os.fsencode(file.name)).hexdigest()[:8]  # the longest name has one
    return file.with_name(f".{name}.{os.getpid()}-{next(_numbers)}.part")


def _kind(file: Path, real: Path | None = None) -> tuple[int, ...] | None:
    """What tells the regular file at a place from others; None where nothing is. SpecError else."""
    try:
        found = (real or file).stat()
    except FileNotFoundError:
        return None
    except (OSError, ValueError) as error:
        raise SpecError(f"cannot write {file}: {_reason(error)}") from None
    if not stat.S_ISREG(found.st_mode):
        what = "a folder" if stat.S_ISDIR(found.st_mode) else "no regular file"
        raise SpecError(f"cannot write {file}: it is {what}")
    return found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns


def _try_out(file: Path) -> None:
    """OSError where no file of the length of a disk's block can be written under this name."""
    part = part_of(file)
    try:
        _write(part, bytes(_BLOCK))
    finally:
        _remove(part)


def _write(file: Path, content: str | bytes) -> None:
    data = content.encode() if isinstance(content, str) else content
    with file.open("wb") as out:
        out.write(data)
        out.flush()
        os.fsync(out.fileno())


def _link(part: Path, file: Path) -> None:
    """Give a file a second name that nobody has; FileExistsError where somebody does."""
    try:
        os.link(part, file)
    except FileExistsError:
        raise
    except OSError:  # a file system without links
        if os.path.lexists(file):
            raise FileExistsError(str(file)) from None
        os.rename(part, file)


def _remove(part: Path) -> None:
    with suppress(OSError):
        part.unlink(missing_ok=True)


def _reason(error: Exception) -> str:
    """Why a file cannot be written, as the system says it."""
    return getattr(error, "strerror", None) or str(error)
