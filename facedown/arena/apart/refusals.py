"""Calls of the Linux kernel that an agent's process is refused, by a filter of its own (seccomp).

Namespaces leave ways between two processes that can read the same file: locks, leases, notices of
each other's reading, what of it is in the memory of the system. They count no memory that is mapped
nowhere. And some calls reach past them: sockets of virtual machines, queues that make other
calls, users of one's own with privileges there. None of that a player needs.
"""

from __future__ import annotations

import ctypes
import errno
import platform
import struct
from collections.abc import Iterable

from facedown.arena.apart import linux

_ARCHITECTURES = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
_FOREIGN = 0x40000000  # the first number of a second way to call, on x86_64

# numbers on x86_64 and on aarch64; None where it is not there
_NUMBERS: dict[str, tuple[int | None, int | None]] = {
    "mincore": (27, 232), "shmget": (29, 194), "socket": (41, 198), "clone": (56, 220),
    "semget": (64, 190), "msgget": (68, 186), "fcntl": (72, 25), "flock": (73, 32),
    "prctl": (157, 167), "mq_open": (240, 180), "add_key": (248, 217), "request_key": (249, 218),
    "keyctl": (250, 219), "inotify_init": (253, None), "unshare": (272, 97),
    "inotify_init1": (294, 26), "perf_event_open": (298, 241), "fanotify_init": (300, 262),
    "name_to_handle_at": (303, 264), "open_by_handle_at": (304, 265), "setns": (308, 268),
    "kcmp": (312, 272), "memfd_create": (319, 279), "bpf": (321, 280), "userfaultfd": (323, 282),
    "preadv2": (327, 286), "io_uring_setup": (425, 425), "clone3": (435, 435),
    "memfd_secret": (447, 447), "cachestat": (451, 451),
}  # fmt: skip

_ABSENT = (  # as if this kernel had none
    "mincore", "shmget", "semget", "msgget", "mq_open", "add_key", "request_key", "keyctl",
    "inotify_init", "inotify_init1", "perf_event_open", "fanotify_init", "name_to_handle_at",
    "open_by_handle_at", "kcmp", "memfd_create", "bpf", "userfaultfd", "io_uring_setup", "clone3",
    "memfd_secret", "cachestat",
)  # fmt: skip
_NEW_SPACES = 0x7E020000 | 0x00000080  # of users, mounts, hosts, queues, processes, networks, time
_SOCKETS = (1, 2, 10)  # of this system, of networks: there is none but its own
_LOCKS = (6, 7, 37, 38)  # are granted, and nothing is locked: what it can write is its own
_NOTICES = (1024, 1026)  # leases, and signals when others use a folder
_DEATH_SIGNAL = 1

_LOAD, _EQUAL, _AT_LEAST, _ANY, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
_ALLOW, _ERROR = 0x7FFF0000, 0x00050000
_NUMBER_AT, _ARCHITECTURE_AT, _ARGUMENTS_AT = 0, 4, 16

Instruction = tuple[int, int, int, int]


def refuse() -> None:
    """Refuse these calls to this process and all that it starts; OSError where that fails.

    For a process that can gain no privileges (`linux.drop_privileges`).
    """
    steps = program(platform.machine())
    data = b"".join(struct.pack("HBBI", *step) for step in steps)
    code = ctypes.create_string_buffer(data, len(data))

    class Program(ctypes.Structure):
        _fields_ = [("count", ctypes.c_ushort), ("steps", ctypes.c_void_p)]

    linux.filter_calls(ctypes.byref(Program(len(steps), ctypes.addressof(code))))


def program(machine: str) -> list[Instruction]:
    """The filter's steps: what to look at, where to go, what to answer; OSError if not known."""
    known = _ARCHITECTURES.get(machine)
    if known is None:
        raise OSError(f"no calls are known on {machine}")
    column = list(_ARCHITECTURES).index(machine)
    steps: list[Instruction] = [
        (_LOAD, 0, 0, _ARCHITECTURE_AT),
        (_EQUAL, 1, 0, known),
        _answered(errno.ENOSYS),
        (_LOAD, 0, 0, _NUMBER_AT),
    ]
    if machine == "x86_64":
        steps += [(_AT_LEAST, 0, 1, _FOREIGN), _answered(errno.ENOSYS)]
    for name, rule in _rules().items():
        number = _NUMBERS[name][column]
        if number is not None:
            steps += [(_EQUAL, 0, len(rule), number), *rule]
    return [*steps, (_RETURN, 0, 0, _ALLOW)]


def _rules() -> dict[str, list[Instruction]]:
    """What is done about each call, once it is known to be that one."""
    absent = [_answered(errno.ENOSYS)]
    return {
        **dict.fromkeys(_ABSENT, absent),
        "flock": [_answered(0)],
        "unshare": [_answered(errno.EPERM)],
        "setns": [_answered(errno.EPERM)],
        "socket": [*_unless(0, _SOCKETS, errno.EAFNOSUPPORT), (_RETURN, 0, 0, _ALLOW)],
        "fcntl": [
            *_where(1, _LOCKS, 0),
            *_where(1, _NOTICES, errno.EPERM),
            (_RETURN, 0, 0, _ALLOW),
        ],
        "prctl": [*_where(0, (_DEATH_SIGNAL,), errno.EPERM), (_RETURN, 0, 0, _ALLOW)],
        "clone": [
            (_LOAD, 0, 0, _ARGUMENTS_AT),
            (_ANY, 0, 1, _NEW_SPACES),
            _answered(errno.EPERM),
            (_RETURN, 0, 0, _ALLOW),
        ],
        "preadv2": [
            (_LOAD, 0, 0, _ARGUMENTS_AT + 5 * 8),
            (_EQUAL, 1, 0, 0),
            _answered(errno.EOPNOTSUPP),
            (_RETURN, 0, 0, _ALLOW),
        ],
    }


def _answered(number: int) -> Instruction:
    """The call fails with this error; with 0 it seems to have been done."""
    return (_RETURN, 0, 0, _ERROR | number)


def _where(argument: int, values: Iterable[int], number: int) -> list[Instruction]:
    """The answer where an argument is one of these; the low half of it is looked at."""
    steps: list[Instruction] = [(_LOAD, 0, 0, _ARGUMENTS_AT + 8 * argument)]
    for value in values:
        steps += [(_EQUAL, 0, 1, value), _answered(number)]
    return steps


def _unless(argument: int, values: Iterable[int], number: int) -> list[Instruction]:
    """The answer where an argument is none of these."""
    known = [*values]
    steps: list[Instruction] = [(_LOAD, 0, 0, _ARGUMENTS_AT + 8 * argument)]
    steps += [(_EQUAL, len(known) - k, 0, value) for k, value in enumerate(known)]
    return [*steps, _answered(number)]
