"""Agents that look for ways past their walls: to each other, to the game before, out of limits.

What one finds it puts into `summary`, under `found`, and plays on.
"""

from __future__ import annotations

import ctypes
import errno
import fcntl
import json
import mmap
import os
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from support.misbehaving import Finds, Plays, line, send, with_no_matter

libc = ctypes.CDLL(None, use_errno=True)
SHARED = os.__file__
"""A file that every agent can read."""


def called(number, *args):
    """Whether a call of the kernel is there for the agent; its number is that of x86_64."""
    given = libc.syscall(number, *args)
    if given > 0:
        with_no_matter(lambda: os.close(given))
    return given >= 0 or ctypes.get_errno() in (errno.EFAULT, errno.EINVAL)


# --- what is left for the next game --------------------------------------------------------------


class MarksDevices(Finds):
    """Leaves a time, rights and an attribute at the devices that it is given."""

    def do(self):
        self.found = []
        for name in ("null", "zero", "full", "random", "urandom"):
            place = f"/dev/{name}"
            mode = os.stat(place).st_mode & 0o777
            attempts = {
                "times": lambda place=place: os.utime(place, (1.0, 1.0)),
                "rights": lambda place=place, mode=mode: os.chmod(place, mode),
                "attribute": lambda place=place: os.setxattr(place, "user.card", b"K"),
                "owner": lambda place=place: os.chown(place, -1, os.getgid()),
            }
            for what, attempt in attempts.items():
                try:
                    attempt()
                    self.found.append(f"{what} of {place}")
                except OSError:
                    continue


class ReadsDevices(Finds):
    """The devices are there to be read and written all the same."""

    def do(self):
        Path("/dev/null").write_bytes(b"x")
        zeros = Path("/dev/zero").open("rb").read(4)  # noqa: SIM115
        self.found = [zeros.hex(), len(os.urandom(8)), Path("/dev/null").read_bytes().hex()]


class TouchesFiles(Finds):
    """Leaves a time at whatever it can read, and reads whether reading leaves one."""

    def do(self):
        self.found = []
        for place in (SHARED, __file__, sys.executable, "/usr", str(Path(__file__).parent)):
            before = os.stat(place).st_atime_ns
            try:
                os.utime(place, (1.0, 1.0))
                self.found.append(f"times of {place}")
            except OSError:
                pass
            if os.path.isfile(place):
                Path(place).read_bytes()
            else:
                os.listdir(place)
            if os.stat(place).st_atime_ns != before:
                self.found.append(f"reading {place} shows")


class ReadsThePageCache(Finds):
    """What of a file the system holds in memory says who has read it before, in any game."""

    def do(self):
        self.found = []
        with open(SHARED, "rb") as file:
            vector = (ctypes.c_char * 1)()
            held = mmap.mmap(file.fileno(), 0, prot=mmap.PROT_READ)
            size = ctypes.c_size_t(4096)
            data = (ctypes.c_ulong * 2)()
            if called(451, file.fileno(), data, data, 0):
                self.found.append("cachestat")
            with_no_matter(lambda: self.ask("preadv2", file.fileno()))
            if libc.mincore(ctypes.c_void_p(self.address(held)), size, vector) == 0:
                self.found.append("mincore")

    def ask(self, name, fd):
        os.preadv(fd, [bytearray(1)], 0, os.RWF_NOWAIT)
        self.found.append(name)

    def address(self, held):
        for row in Path("/proc/self/maps").read_text().splitlines():
            if row.endswith(SHARED):
                return int(row.split("-")[0], 16)
        return 0


# --- a word to a partner in another seat ---------------------------------------------------------


class Locks(Plays):
    """Holds locks on what everybody can read, and waits."""

    def do(self):
        self.files = [open(SHARED, "rb") for _ in range(2)]  # noqa: SIM115
        with_no_matter(lambda: fcntl.flock(self.files[0], fcntl.LOCK_EX))
        with_no_matter(lambda: self.lease(self.files[1]))

    def lease(self, file):
        fcntl.fcntl(file, fcntl.F_SETLEASE, fcntl.F_RDLCK)


class FindsLocks(Finds):
    """Whether somebody else has locked what everybody can read."""

    def do(self):
        self.found = []
        with open(SHARED, "rb") as file:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                self.found.append("flock")
            asked = struct.pack("hhqqi", fcntl.F_RDLCK, 0, 0, 0, 0)
            answer = fcntl.fcntl(file, fcntl.F_GETLK, asked)
            if struct.unpack("hhqqi", answer)[0] != fcntl.F_UNLCK:
                self.found.append("fcntl")
            try:
                fcntl.fcntl(file, fcntl.F_SETLEASE, fcntl.F_RDLCK)
                self.found.append("lease")
            except OSError:
                pass


class FindsNotices(Finds):
    """Whether it would be told that others read a file."""

    def do(self):
        asked = {"inotify_init": 253, "inotify_init1": 294, "fanotify_init": 300}
        self.found = [name for name, number in asked.items() if called(number, 0, 0)]
        with_no_matter(self.notify)

    def notify(self):
        folder = os.open(os.path.dirname(SHARED), os.O_RDONLY)
        fcntl.fcntl(folder, fcntl.F_NOTIFY, fcntl.DN_ACCESS)
        self.found.append("dnotify")


class FindsSockets(Finds):
    """Sockets that know nothing of namespaces: of virtual machines, of the kernel's own parts."""

    def do(self):
        self.found = []
        for family in (*range(3, 10), *range(11, 46)):
            try:
                socket.socket(family, socket.SOCK_STREAM).close()
                self.found.append(family)
            except OSError:
                try:
                    socket.socket(family, socket.SOCK_DGRAM).close()
                    self.found.append(family)
                except OSError:
                    continue


class FindsAbstractSockets(Finds):
    """A name in nobody's folder, taken by the one, found by the other."""

    def do(self):
        self.found = []
        self.end = socket.socket(socket.AF_UNIX)
        try:
            self.end.bind("\0facedown-card")
        except OSError:
            self.found.append("somebody has it")


class FindsCalls(Finds):
    """Calls of the kernel that no player needs."""

    def do(self):
        numbers = {
            "shmget": (29, 0x1234, 4096, 0o1666), "semget": (64, 0x1234, 1, 0o1666),
            "msgget": (68, 0x1234, 0o1666), "mq_open": (240, b"card", 0o102, 0o666, 0),
            "memfd_create": (319, b"x", 0), "memfd_secret": (447, 0), "bpf": (321, 0, 0, 0),
            "perf_event_open": (298, 0, 0, -1, -1, 0), "userfaultfd": (323, 1),
            "io_uring_setup": (425, 1, 0), "keyctl": (250, 0, -3, 0),
            "unshare": (272, 0x10000000), "name_to_handle_at": (303, -100, b"/", 0, 0, 0),
            "setns": (308, 0, 0),
            "clone3": (435, 0, 0), "kcmp": (312, 1, 1, 0, 0, 0),
        }  # fmt: skip
        self.found = [name for name, call in numbers.items() if called(*call)]


class FindsUsers(Finds):
    """A namespace of users of its own, in which it would have all privileges."""

    def do(self):
        pid = libc.syscall(56, ctypes.c_ulong(0x10000000 | signal.SIGCHLD), None, None, None, None)
        if pid == 0:
            os._exit(0)
        self.found = ["clone"] if pid > 0 else []


# --- it takes more than it may -------------------------------------------------------------------


def held(megabytes):
    """So much memory, written to."""
    kept = bytearray(megabytes << 20)
    for k in range(0, len(kept), 4096):
        kept[k] = 1
    return kept


class TakesMemoryByChildren(Plays):
    """Each of many processes takes less than the limit, and all together far more."""

    def do(self):
        for _ in range(12):
            if os.fork() == 0:
                kept = held(100)
                time.sleep(60)
                os._exit(len(kept) == 0)
        time.sleep(60)


class TakesMemoryByThreadsChildren(Plays):
    """The same by a child of a child that nobody waits for."""

    def do(self):
        if os.fork() == 0:
            for _ in range(12):
                if os.fork() == 0:
                    kept = held(100)
                    time.sleep(60)
                    os._exit(len(kept) == 0)
            os._exit(0)
        time.sleep(60)


class TakesMemoryNobodyMaps(Plays):
    """Files in memory, and segments that are filled and let go."""

    def do(self):
        kept = []
        for k in range(12):
            try:
                fd = os.memfd_create(f"m{k}")
                kept.append(fd)
                os.write(fd, bytes(7 << 20))
            except OSError:
                break
        if len(kept) == 12:
            raise AssertionError("84 MB that nobody counts")
        number = libc.shmget(0x777, 64 << 20, 0o1666)
        if number >= 0:
            libc.shmctl(number, 0, None)
            raise AssertionError("a segment that nobody counts")


class Outlives(Plays):
    """Would go on after the match: asks not to be killed with its parent, leaves its session."""

    def do(self):
        file = Path(tempfile.gettempdir()) / "covert-mark"
        file.write_bytes(bytes(4096))
        self.held = mmap.mmap(os.open(file, os.O_RDWR), 4096)
        libc.prctl(1, 0, 0, 0, 0)
        with_no_matter(os.setsid)
        for number in range(1, 32):
            with_no_matter(lambda number=number: signal.signal(number, signal.SIG_IGN))
        if os.fork() == 0:
            with_no_matter(os.setsid)
            time.sleep(300)
        time.sleep(300)


class DumpsItsCore(Plays):
    def do(self):
        os.chdir("/tmp")
        with_no_matter(lambda: __import__("resource").setrlimit(4, (-1, -1)))
        os.kill(os.getpid(), signal.SIGQUIT)
        ctypes.string_at(0)


class TakesTheOomKillersEye(Finds):
    """Asks the system to kill everybody else first."""

    def do(self):
        try:
            Path("/proc/self/oom_score_adj").write_text("-1000")
            self.found = ["oom_score_adj"]
        except OSError:
            self.found = []


class RaisesItsPriority(Finds):
    def do(self):
        self.found = []
        for what, attempt in {
            "nice": lambda: os.setpriority(os.PRIO_PROCESS, 0, -5),
            "real time": lambda: os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(5)),
        }.items():
            try:
                attempt()
                self.found.append(what)
            except OSError:
                continue


class ChangesTheClock(Finds):
    def do(self):
        self.found = []
        with_no_matter(self.turn_back)

    def turn_back(self):
        time.clock_settime(time.CLOCK_REALTIME, time.time())
        self.found.append("clock")


# --- what it sends -------------------------------------------------------------------------------


class NamesEverything(Plays):
    """Says of itself at the start that it needs all there is, and thousands that there are not."""

    def __post_init__(self):
        names = [f"facedown.search.n{k}" for k in range(10_000)]
        told = {"ready": True, "modules": [*names, 7, None, "os", "facedown.agents..x"]}
        send(json.dumps({**told, "kernels": [*names, [], {}, "\ud800"]}).encode() + b"\n")


class PacesBeyondNumbers(Plays):
    def pace(self):
        return 10**400


class PacesBackwards(Plays):
    def pace(self):
        return -1e308


class SumsManyKeys(Plays):
    def summary(self):
        return {f"key {k}": k for k in range(40_000)}


class SumsMarkup(Plays):
    def summary(self):
        return {"[red]x[/]": "[link=http://x]y[/link] {0} %s \u2028 \x9b31m", "\x85": "\u200f"}


class RaisesItself(Plays):
    """An error whose class has a name and a module that are no plain text."""

    def do(self):
        made = type("[bold]\x1b[31mOops\u202e", (Exception,), {"__module__": "\x9b"})
        raise made("\u2028\x85\x9b31m \u200f")


class AnswersLate(Plays):
    """Answers all but the last byte in time."""

    def do(self):
        send(b'{"move": 1, "summary": null, "pace": null}')
        time.sleep(30)


class AnswersInPieces(Plays):
    """Its answer comes byte by byte, and is taken."""

    def do(self):
        for k in b'{"move": 1}':
            send(bytes([k]))
            time.sleep(0.01)
        send(b"\n")
        time.sleep(30)


class AnswersTheNextToo(Plays):
    """Two answers in one piece: the second is to a question that was not asked."""

    def do(self):
        send(b'{"move": 0}\n{"move": 0}\n')
        time.sleep(30)


class SendsDescriptors(Plays):
    """A descriptor goes over the line with the answer; it is to go nowhere."""

    def do(self):
        end = socket.socket(fileno=os.dup(line()))
        socket.send_fds(end, [b'{"move": 1}\n'], [os.open("/", os.O_RDONLY)])
        time.sleep(30)


class SendsUrgently(Plays):
    """An empty write, a half close, then silence."""

    def do(self):
        end = socket.socket(fileno=os.dup(line()))
        end.send(b"")
        end.shutdown(socket.SHUT_RD)
        end.sendall(b'{"move": 1}\n')
        time.sleep(30)


class ExecsWithTheLine(Plays):
    """Becomes a shell that answers in its place."""

    def do(self):
        fd = line()
        os.set_inheritable(fd, True)
        os.execv("/bin/sh", ["sh", "-c", f"""printf '{{"move": 1}}\\n' >&{fd}; sleep 30"""])


class LeavesATracer(Plays):
    """A child that stops its parent for good."""

    def do(self):
        parent = os.getpid()
        if os.fork() == 0:
            libc.ptrace(16, parent, 0, 0)
            time.sleep(60)
        time.sleep(0.3)


class RunsAnInterpreter(Finds):
    """A new program in its place finds the same walls."""

    def do(self):
        code = "import os; print(os.path.exists('/etc/passwd'), len(os.listdir('/proc')) < 60)"
        done = subprocess.run([sys.executable, "-S", "-c", code], capture_output=True, check=False)
        self.found = done.stdout.decode().split()


class LooksEverywhere(Finds):
    """Does what all of these do that look for something, one after another."""

    LOOKS = (
        MarksDevices, TouchesFiles, ReadsThePageCache, FindsNotices, FindsSockets,
        FindsAbstractSockets, FindsCalls, FindsUsers, TakesTheOomKillersEye, RaisesItsPriority,
        ChangesTheClock,
    )  # fmt: skip

    def do(self):
        self.found = {}
        for look in self.LOOKS:
            one = look(self.game, self.player, self.seed)
            one.do()
            self.found[look.__name__] = one.found
