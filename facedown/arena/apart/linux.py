"""Calls of the Linux kernel that Python 3.11 has no names for; OSError where one fails."""

from __future__ import annotations

import ctypes
import os
import platform
import signal
from functools import cache
from typing import Any

NEW_MOUNTS, NEW_HOST, NEW_IPC = 0x00020000, 0x04000000, 0x08000000
NEW_USER, NEW_PID, NEW_NETWORK = 0x10000000, 0x20000000, 0x40000000

BIND, RECURSIVE, PRIVATE = 4096, 16384, 1 << 18
NO_SETUID, NO_DEVICES, NO_PROGRAMS = 2, 4, 8

_READ_ONLY, _AT_RECURSIVE, _HERE = 1, 0x8000, -100
_SYSCALLS = {
    "x86_64": {"clone": 56, "pivot_root": 155, "keyctl": 250, "mount_setattr": 442},
    "aarch64": {"clone": 220, "pivot_root": 41, "keyctl": 219, "mount_setattr": 442},
}
_SET_DEATH_SIGNAL, _SET_DUMPABLE, _NO_NEW_PRIVILEGES = 1, 4, 38
_SET_FILTER, _FILTER = 22, 2
_CAPABILITIES_3 = 0x20080522


@cache
def _libc() -> Any:
    return ctypes.PyDLL(None, use_errno=True)  # which holds the lock of Python, as a fork must


def _checked(result: int, what: str) -> int:
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{what}: {os.strerror(number)}")
    return result


def _syscall(name: str, *args: Any) -> int:
    known = _SYSCALLS.get(platform.machine())
    if known is None:
        raise OSError(f"{name}: not known on {platform.machine()}")
    return _checked(_libc().syscall(ctypes.c_long(known[name]), *args), name)


def _control(option: int, value: int) -> None:
    words = [ctypes.c_ulong(number) for number in (value, 0, 0, 0)]
    _checked(_libc().prctl(option, *words), f"prctl {option}")


def fork(spaces: int) -> int:
    """Fork a process with new namespaces; 0 in the new one, as `os.fork` has it.

    For a process with one thread. Python is told, as `os.fork` tells it.
    """
    python = ctypes.pythonapi
    python.PyOS_BeforeFork()
    pid = -1
    try:
        flags = ctypes.c_ulong(spaces | signal.SIGCHLD)
        pid = _syscall("clone", flags, None, None, None, None)
    finally:
        python.PyOS_AfterFork_Child() if pid == 0 else python.PyOS_AfterFork_Parent()
    return pid


def mount(source: str, target: str, kind: str = "", flags: int = 0, data: str = "") -> None:
    """Mount a file system, or bind a part of one to another place."""
    words = [word.encode() or None for word in (source, target, kind, data)]
    result = _libc().mount(*words[:3], ctypes.c_ulong(flags), words[3])
    _checked(result, f"mount {target}")


class _Attributes(ctypes.Structure):
    _fields_ = [(name, ctypes.c_uint64) for name in ("set", "clear", "propagation", "user")]


def make_read_only(place: str, *, below: bool = True, device: bool = False) -> None:
    """Have nothing written to a mount, nor to those below it.

    A `device` can be used as before; its owner cannot change what the system says of it.
    """
    kinds = _READ_ONLY | NO_SETUID | (0 if device else NO_DEVICES)
    wanted = _Attributes(kinds, 0, 0, 0)
    flags, size = _AT_RECURSIVE if below else 0, ctypes.sizeof(wanted)
    where = place.encode()
    _syscall("mount_setattr", _HERE, where, flags, ctypes.byref(wanted), ctypes.c_size_t(size))


def change_root(place: str) -> None:
    """Make a mount the root of all files; what was there is gone."""
    os.chdir(place)
    _syscall("pivot_root", b".", b".")
    _checked(_libc().umount2(b".", 2), "umount")
    os.chdir("/")


def drop_privileges() -> None:
    """Give up every capability, for good."""
    header = (ctypes.c_uint32 * 2)(_CAPABILITIES_3, 0)
    none = (ctypes.c_uint32 * 6)()
    _control(_NO_NEW_PRIVILEGES, 1)
    _checked(_libc().capset(ctypes.byref(header), ctypes.byref(none)), "capset")


def own_keys() -> None:
    """A session keyring of one's own: what is put into a shared one outlives its writer."""
    _syscall("keyctl", 1, None)


def die_with_parent() -> None:
    """Have this process killed when its parent ends."""
    _control(_SET_DEATH_SIGNAL, signal.SIGKILL)


def filter_calls(program: Any) -> None:
    """Have the kernel ask a filter about every call from here on; by the address of its program."""
    words = [ctypes.c_ulong(_FILTER), program, ctypes.c_ulong(0), ctypes.c_ulong(0)]
    _checked(_libc().prctl(_SET_FILTER, *words), "prctl: a filter of calls")


def keep_memory_private() -> None:
    """Let no process of the same user read this one's memory, environment or descriptors."""
    _control(_SET_DUMPABLE, 0)
