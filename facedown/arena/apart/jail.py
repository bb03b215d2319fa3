"""What an agent's process is locked in with: its own users, processes, network and files (Linux).

It sees no process but its own, no network, and of the files only those that Python, facedown, the
game and the agent itself are made of, none of which it can write. What it writes to /tmp is gone
with it. Where a system does not allow a part of that, the others are kept, and the result says so.
"""

from __future__ import annotations

import contextlib
import os
import platform
import resource
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from facedown.arena.apart import linux, refusals
from facedown.arena.apart.limits import Limits

WALLS = ("user", "processes", "files", "network", "ipc")
"""What can keep an agent from the rest of the system, each a namespace of its own."""

COUNTED, REFUSED = "count of processes", "calls"
"""What else is enforced where the system can: how many processes an agent may have; that calls of
the kernel which reach beyond its walls, or take memory that nobody counts, are refused."""

_SPACES = {
    "user": linux.NEW_USER,
    "processes": linux.NEW_PID,
    "files": linux.NEW_MOUNTS,
    "network": linux.NEW_NETWORK,
    "ipc": linux.NEW_IPC,
}
_SYSTEM = (
    "/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/opt", "/nix/store",
    "/etc/ld.so.cache", "/etc/ld.so.conf", "/etc/ld.so.conf.d", "/etc/alternatives",
    "/etc/localtime",
)  # fmt: skip
_DEVICES = ("null", "zero", "full", "random", "urandom")
_BASES = ("/sys", "/mnt", "/srv", "/media")  # one is covered by the new root until it is the root
_TOO_WIDE = ("/", "/tmp")  # places of which an agent sees only its own part
_INSIDE = 1000  # the user's number inside: not 0, which programs are given privileges with
_MEGA = 1 << 20
_FEWEST = 301  # processes in a namespace, the least that Linux takes for a limit


@dataclass(frozen=True)
class Cell:
    """Where an agent is put: what it can read, what of that is hidden, and what it may use."""

    folders: tuple[str, ...]
    hidden: tuple[str, ...]
    cache: str
    limits: Limits
    walls: tuple[str, ...] = WALLS

    @classmethod
    def from_json(cls, plain: Any) -> Cell:
        """The cell that a match has described."""
        return cls(
            tuple(plain["folders"]),
            tuple(plain["hidden"]),
            plain["cache"],
            Limits(**plain["limits"]),
            tuple(plain["walls"]),
        )

    def to_json(self) -> dict[str, Any]:
        """The cell as plain JSON."""
        return {**vars(self), "limits": self.limits.to_json()}


def fork(wanted: Iterable[str]) -> tuple[int, list[str]]:
    """Fork a process behind as many of these walls as the system gives, and say which.

    The process is the first of its namespace: with it all others end. `live_inside` comes first.
    """
    for walls in (wanted, [wall for wall in wanted if wall not in ("network", "ipc")]):
        spaces = sum(_SPACES[wall] for wall in walls)
        with contextlib.suppress(OSError, AttributeError):  # AttributeError: no Linux
            if spaces:
                return linux.fork(spaces), list(walls)
    return os.fork(), []


def live_inside(user: int, group: int) -> None:
    """Be somebody in a namespace of users of one's own; outside, the user and group of before."""
    Path("/proc/self/setgroups").write_text("deny")
    Path("/proc/self/uid_map").write_text(f"{_INSIDE} {user} 1")
    Path("/proc/self/gid_map").write_text(f"{_INSIDE} {group} 1")


def furnish(cell: Cell) -> None:
    """Make a root of what the agent may read, in a namespace of files of one's own; OSError."""
    linux.mount("none", "/", flags=linux.RECURSIVE | linux.PRIVATE)
    base = next(place for place in _BASES if os.path.isdir(place))
    plain = linux.NO_SETUID | linux.NO_DEVICES
    linux.mount("tmpfs", base, "tmpfs", plain, "size=1m,mode=755")
    os.mkdir(f"{base}/tmp")
    linux.mount("tmpfs", f"{base}/tmp", "tmpfs", plain, f"size={cell.limits.files}m,mode=777")
    for place in sorted({cell.cache, *_readable(cell)}):
        if place == cell.cache:
            _lay_over(place, base)
        else:
            _bind(place, base)
    for place in cell.hidden:
        if os.path.isfile(base + os.path.realpath(place)):
            _bind_device("/dev/null", base + os.path.realpath(place))
    _add_devices(base)
    linux.change_root(base)
    linux.make_read_only("/", below=False)


def _readable(cell: Cell) -> Iterator[str]:
    """All that an agent may read, without what lies below another."""
    python = (sys.prefix, sys.base_prefix, sys.exec_prefix, os.path.dirname(sys.executable))
    package = str(Path(__file__).resolve().parents[2])
    own = [place for folder in cell.folders for place in _opened(folder)]
    found = {os.path.abspath(place) for place in (*_SYSTEM, *python, package, *own)}
    found |= {os.path.realpath(place) for place in found if place not in _SYSTEM}
    found |= {place for place in sys.path if place.endswith(("-packages", ".zip"))}
    found = {place for place in found if os.path.exists(place) and place not in _TOO_WIDE}
    for place in found:
        if not any(place != other and place.startswith(f"{other}/") for other in found):
            yield place


def _opened(folder: str) -> list[str]:
    """A folder, or of one that is everybody's the Python files in it."""
    if os.path.realpath(folder) not in _TOO_WIDE:
        return [folder]
    return [str(file) for file in Path(folder).glob("*.py")]


def _bind(place: str, base: str) -> None:
    """Have a folder or a file of the system in the new root, to be read."""
    target = base + place
    os.makedirs(os.path.dirname(target), exist_ok=True)
    if os.path.islink(place):
        if not os.path.lexists(target):
            os.symlink(os.readlink(place), target)
        return
    if os.path.isdir(place):
        os.makedirs(target, exist_ok=True)
    elif not os.path.exists(target):
        Path(target).touch()
    linux.mount(place, target, flags=linux.BIND | linux.RECURSIVE)
    linux.make_read_only(target)


def _lay_over(place: str, base: str) -> None:
    """Have the compile cache, and what the agent adds to it in its own memory."""
    if not os.path.isdir(place):
        return
    above = f"{base}/tmp/.compiled"
    for part in ("new", "work"):
        os.makedirs(f"{above}/{part}", exist_ok=True)
    os.makedirs(base + place, exist_ok=True)
    layers = f"lowerdir={place},upperdir={above}/new,workdir={above}/work,userxattr"
    try:
        linux.mount("overlay", base + place, "overlay", linux.NO_SETUID, layers)
    except OSError:
        _bind(place, base)


def _bind_device(place: str, target: str) -> None:
    """Have a device in the new root. Root owns it: it could leave a message in its times."""
    linux.mount(place, target, flags=linux.BIND)
    linux.make_read_only(target, device=True)


def _add_devices(base: str) -> None:
    for name in _DEVICES:
        target = Path(base, "dev", name)
        target.parent.mkdir(exist_ok=True)
        target.touch()
        _bind_device(f"/dev/{name}", str(target))
    os.makedirs(f"{base}/proc", exist_ok=True)
    with contextlib.suppress(OSError):  # some containers have none to give: then there is none
        flags = linux.NO_SETUID | linux.NO_DEVICES | linux.NO_PROGRAMS
        # of processes only: the settings of the system are there to write to for root
        linux.mount("proc", f"{base}/proc", "proc", flags, "subset=pid")


def confine(limits: Limits) -> None:
    """Limit what this process and its children use, and give up all privileges, for good."""
    room = _size() + limits.memory * _MEGA
    _limit(resource.RLIMIT_AS, room)
    _limit(resource.RLIMIT_FSIZE, limits.files * _MEGA)
    _limit(resource.RLIMIT_CORE, 0)
    _limit(resource.RLIMIT_NOFILE, 256)
    if limits.cpu is not None:
        _limit(resource.RLIMIT_CPU, max(1, round(limits.cpu)))
    with contextlib.suppress(OSError, AttributeError):
        linux.own_keys()
    with contextlib.suppress(OSError, AttributeError):
        linux.drop_privileges()


def refuse_calls() -> bool:
    """Have the kernel refuse what no player needs, for good; whether it does."""
    try:
        refusals.refuse()
    except (OSError, AttributeError):
        return False
    return True


def _limit(what: int, most: int) -> None:
    hard = resource.getrlimit(what)[1]
    most = most if hard == resource.RLIM_INFINITY else min(most, hard)
    resource.setrlimit(what, (most, most))


def count_processes(limits: Limits, *, root: bool) -> bool:
    """Limit how many processes there can be in a namespace of one's own; whether that worked.

    Of this user, or where that is root, for whom no such limit holds, of the namespace.
    """
    if not root and _kernel() >= (5, 14):  # before, those outside counted too
        _limit(resource.RLIMIT_NPROC, limits.processes + 2)
        return True
    if _kernel() < (6, 14):  # before, there is one number for the whole system
        return False
    try:
        Path("/proc/sys/kernel/pid_max").write_text(str(max(limits.processes, _FEWEST)))
    except OSError:
        return False
    return True


def _kernel() -> tuple[int, ...]:
    numbers = platform.release().split("-")[0].split(".")[:2]
    return tuple(int(number) for number in numbers if number.isdigit())


def _size() -> int:
    """Bytes of memory that this process has mapped."""
    try:
        return int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    except OSError:
        return 2048 * _MEGA
