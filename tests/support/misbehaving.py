"""Agents that each do something to the match that holds them, or try to.

Those that try to find something out put it into `summary`, under `found`, and play on.
"""

from __future__ import annotations

import ctypes
import gc
import json
import mmap
import os
import pickle
import resource
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from facedown import Agent

HERE = Path(__file__).resolve().parent


def line():
    """The socket that this process is asked over, found as anybody could."""
    for fd in range(3, 200):
        try:
            if socket.socket(fileno=os.dup(fd)).getpeername() is not None:
                return fd
        except OSError:
            continue
    raise AssertionError("there is no line")


def send(data):
    """Send something over the line, past everybody."""
    end = socket.socket(fileno=os.dup(line()))
    end.setblocking(True)
    end.sendall(data)


class Plays(Agent):
    """Plays its first move, after doing what it does."""

    def choose(self, view, legal):
        self.view, self.legal = view, legal
        given = self.do()
        return legal[0] if given is None else given

    def do(self):
        return None


# --- it dies -------------------------------------------------------------------------------------


class Exits(Plays):
    def do(self):
        os._exit(3)


class ExitsAsIfWell(Plays):
    def do(self):
        os._exit(0)


class Leaves(Plays):
    def do(self):
        sys.exit("bye")


class RaisesBase(Plays):
    def do(self):
        raise BaseException("the very base")


class RaisesInterrupt(Plays):
    def do(self):
        raise KeyboardInterrupt


class RaisesGeneratorExit(Plays):
    def do(self):
        raise GeneratorExit


class Aborts(Plays):
    def do(self):
        os.abort()


class Segfaults(Plays):
    def do(self):
        ctypes.string_at(8)


class RecursesForever(Plays):
    def do(self):
        return self.do()


class RecursesWithoutLimit(Plays):
    def do(self):
        sys.setrecursionlimit(10**9)
        threading.stack_size(1 << 20)
        return self.again()

    def again(self):
        return self.again()


class ForksAndLeaves(Plays):
    def do(self):
        if os.fork():
            os._exit(1)


class BecomesAnother(Plays):
    def do(self):
        os.execv("/bin/sh", ["sh", "-c", "while true; do echo x; done"])


class ClosesItsLine(Plays):
    def do(self):
        os.closerange(0, 1024)
        time.sleep(60)


class ShutsItsLine(Plays):
    def do(self):
        socket.socket(fileno=os.dup(line())).shutdown(socket.SHUT_RDWR)
        time.sleep(60)


class DiesWhenMade(Plays):
    def __post_init__(self):
        os._exit(9)


class DiesWhenTold(Plays):
    def observe(self, token, text):
        os._exit(9)


# --- it does not come back -----------------------------------------------------------------------


class Loops(Plays):
    def do(self):
        while True:
            pass


class SwallowsEverything(Plays):
    def do(self):
        for number in range(1, 65):
            with_no_matter(lambda number=number: signal.signal(number, lambda *_: None))
        while True:
            with_no_matter(lambda: time.sleep(1))


def with_no_matter(call):
    try:
        call()
    except BaseException:
        return


class BlocksSignals(Plays):
    def do(self):
        signal.pthread_sigmask(signal.SIG_BLOCK, range(1, 65))
        time.sleep(1000)


class LoopsInC(Plays):
    def do(self):
        return len(str(bytes(1)) * 0) + sum(map(abs, iter(int, 1)))


class CountsDigits(Plays):
    def do(self):
        return 7 ** (10**9) % 10


class Sleeps(Plays):
    def do(self):
        time.sleep(1000)


class StopsItself(Plays):
    def do(self):
        os.kill(os.getpid(), signal.SIGSTOP)
        while True:
            time.sleep(1)


class NeverReads(Plays):
    """Holds the line's other end full, and itself busy."""

    def observe(self, token, text):
        while True:
            pass


class DeadlocksItself(Plays):
    def do(self):
        lock = threading.Lock()
        lock.acquire()
        lock.acquire()


class BeginsALine(Plays):
    def do(self):
        send(b'{"move": ')
        time.sleep(1000)


class DripsALine(Plays):
    def do(self):
        while True:
            send(b" ")
            time.sleep(0.01)


class ForksForever(Plays):
    def do(self):
        while True:
            with_no_matter(os.fork)


class StartsThreadsForever(Plays):
    def do(self):
        while True:
            with_no_matter(lambda: threading.Thread(target=time.sleep, args=(100,)).start())


# --- it takes too much ---------------------------------------------------------------------------


class TakesAllMemory(Plays):
    def do(self):
        kept = []
        while True:
            kept.append(bytearray(50 << 20))


class MapsAllMemory(Plays):
    def do(self):
        kept = []
        while True:
            kept.append(mmap.mmap(-1, 1 << 30))


class LargeArray(Plays):
    def do(self):
        return int(np.ones(1 << 34).sum())


class FillsTheDisk(Plays):
    def do(self):
        with tempfile.TemporaryFile() as file:
            while True:
                file.write(bytes(1 << 20))


class FillsTheDiskFileByFile(Plays):
    def do(self):
        for k in range(10**6):
            Path(tempfile.gettempdir(), f"f{k}").write_bytes(bytes(1 << 20))


class OpensEverything(Plays):
    def do(self):
        kept = []
        while True:
            kept.append(open(os.devnull))  # noqa: SIM115


class UsesProcessors(Plays):
    """For a limit of processor time."""

    def do(self):
        while True:
            pass


# --- it sends what is no move --------------------------------------------------------------------


def returning(name, value):
    made = type(name, (Plays,), {"do": lambda self: value})
    made.__module__ = __name__
    return made


ReturnsHuge = returning("ReturnsHuge", 10**5000)
ReturnsNegative = returning("ReturnsNegative", -1)
ReturnsText = returning("ReturnsText", "bet")
ReturnsHalf = returning("ReturnsHalf", 0.5)
ReturnsTrue = returning("ReturnsTrue", True)
ReturnsList = returning("ReturnsList", [0])
ReturnsInfinity = returning("ReturnsInfinity", float("inf"))


class EqualToAll(int):
    def __eq__(self, other):
        return True

    def __hash__(self):
        return 0


ReturnsEqualToAll = returning("ReturnsEqualToAll", EqualToAll(77))


class Sends(Plays):
    data = b""

    def do(self):
        send(self.data)
        time.sleep(1000)


def sending(name, data):
    made = type(name, (Sends,), {"data": data})
    made.__module__ = __name__
    return made


SendsPickle = sending("SendsPickle", pickle.dumps({"move": 0}) + b"\n")
SendsList = sending("SendsList", b"[1]\n")
SendsNothing = sending("SendsNothing", b"\n")
SendsHugeNumber = sending("SendsHugeNumber", b'{"move": 1' + b"0" * 5000 + b"}\n")
SendsDeepJson = sending("SendsDeepJson", b'{"move": ' + b"[" * 100_000 + b"]" * 100_000 + b"}\n")
SendsDeepObjects = sending("SendsDeepObjects", b'{"a":' * 50_000 + b"1" + b"}" * 50_000 + b"\n")
SendsNaN = sending("SendsNaN", b'{"move": NaN}\n')
SendsBytes = sending("SendsBytes", b'{"move": "\xff\xfe"}\n')
SendsZeros = sending("SendsZeros", bytes(100) + b"\n")
SendsTextMove = sending("SendsTextMove", b'{"move": "1"}\n')
SendsFloatMove = sending("SendsFloatMove", b'{"move": 1e400}\n')
SendsNoMove = sending("SendsNoMove", b'{"moves": 1}\n')
SendsStrangeError = sending("SendsStrangeError", b'{"error": {"a": [1, 2]}}\n')
SendsEscapes = sending("SendsEscapes", b'{"error": "\\u001b[2J\\u001b]0;owned\\u0007 \\ud800"}\n')
SendsLongLine = sending("SendsLongLine", b"x" * (3 << 20))
SendsTwoAnswers = sending("SendsTwoAnswers", b'{"move": 1}\n{"move": 1}\n')
SendsDoubleKeys = sending("SendsDoubleKeys", b'{"move": 99, "move": 98}\n')


class Floods(Plays):
    def do(self):
        while True:
            send(b"y" * 65536)


class FloodsFromAThread(Plays):
    def do(self):
        threading.Thread(target=lambda: [send(b"noise\n") for _ in range(10**6)]).start()
        time.sleep(0.5)


class AnswersForBoth(Plays):
    """Forks in the middle of its choice: two processes answer."""

    def do(self):
        os.fork()


# --- what it says of itself ----------------------------------------------------------------------


class RaisesLongText(Plays):
    def do(self):
        raise ValueError("long " * 10**6)


class RaisesEscapes(Plays):
    def do(self):
        raise ValueError("\x1b[31mred\x07 \ud800 \r overwritten \u202e turned")


class RaisesWithoutText(Plays):
    def do(self):
        class Mute(Exception):
            def __str__(self):
                raise RuntimeError("no text")

        raise Mute


class Summing(Plays):
    given: object = None

    def summary(self):
        return self.given


def summing(name, given):
    made = type(name, (Summing,), {"given": given})
    made.__module__ = __name__
    return made


circular: dict = {}
circular["me"] = circular
deep: dict = {}
for _ in range(5000):
    deep = {"deeper": deep}
SumsCircular = summing("SumsCircular", circular)
SumsDeep = summing("SumsDeep", deep)
SumsText = summing("SumsText", "all well")
SumsHuge = summing("SumsHuge", {"value": 10**5000})
SumsLong = summing("SumsLong", {"value": "x" * (2 << 20)})
SumsSurrogates = summing("SumsSurrogates", {"a\ud800": "\udfff \x1b[2J"})
SumsNaN = summing("SumsNaN", {"value": float("nan")})


class PacesStrangely(Plays):
    def pace(self):
        return "soon"


# --- it meddles, and plays on --------------------------------------------------------------------


class KillsItself(Plays):
    """The first process of a namespace does not hear that."""

    def do(self):
        os.kill(os.getpid(), signal.SIGKILL)


class KillsEverybody(Plays):
    def do(self):
        for pid in (-1, os.getppid(), 2, 3, 4, 5):
            if pid != 0:
                with_no_matter(lambda pid=pid: os.kill(pid, signal.SIGKILL))


class GoesElsewhere(Plays):
    def do(self):
        os.chdir("/")
        os.environ.clear()
        os.umask(0)


class Prints(Plays):
    def do(self):
        print("x" * 10**6)
        print("\x1b[2J", file=sys.stderr, flush=True)
        os.write(1, b'{"move": 0}\n')
        os.write(2, b"loud\n")


class LeavesADaemon(Plays):
    """A process that would outlive it, and writes down that it does."""

    def do(self):
        if os.fork() == 0:
            os.setsid()
            if os.fork() == 0:
                while True:
                    time.sleep(1)
            os._exit(0)


class PatchesPython(Plays):
    def do(self):
        json.dumps = json.loads = None
        socket.socket.sendall = None


class Writes(Plays):
    """Writes wherever it may have come from."""

    def do(self):
        self.found = []
        places = (HERE, Path.cwd(), Path.home(), Path("/"), Path("/usr"), Path("/dev/shm"))
        for place in places:
            try:
                (place / "left_behind.txt").write_text("found")
                self.found.append(str(place))
            except OSError:
                continue

    def summary(self):
        return {
            "found": [
                place
                for place in self.found
                if Path("/tmp") not in {Path(place), *Path(place).parents}
            ]
        }  # a folder of its own hangs there


# --- it looks for what it must not know ----------------------------------------------------------


class Finds(Plays):
    """Puts what it has found into the record."""

    found: object = None

    def summary(self):
        return {"found": self.found}


class FindsObjects(Finds):
    """Every position in the memory of Python, and every record in it."""

    def do(self):
        from facedown.core import Position

        held = [one for one in gc.get_objects() if isinstance(one, Position)]
        self.found = [one.digest().hex() for one in held]


MASK = 0x5DEECE66D1234567


@dataclass
class FindsMemory(Finds):
    """Searches all of its memory for a number that the match knows, itself told by a mask."""

    masked: int = 0

    def do(self):
        self.found, searched = [], 0
        mask, masked = np.uint64(MASK), np.uint64(self.masked)
        with open("/proc/self/mem", "rb", 0) as memory:
            for row in Path("/proc/self/maps").read_text().splitlines():
                place, rights = row.split()[:2]
                low, high = (int(part, 16) for part in place.split("-"))
                if "rw" not in rights or high - low > 1 << 28:
                    continue
                try:
                    memory.seek(low)
                    data = np.frombuffer(memory.read(high - low), np.uint64)
                except (OSError, ValueError, OverflowError):
                    continue
                searched += len(data)
                if (data ^ mask == masked).any():
                    self.found.append(row)
        assert searched > 10**5


class FindsProcesses(Finds):
    """What /proc tells of anybody else, and whether they can be traced."""

    def do(self):
        self.found = []
        own = {os.getpid()}
        for pid in (*range(1000), *range(1000, 33_000, 7)):
            if pid in own:
                continue
            for what in ("mem", "environ", "cmdline", "fd", "maps", "cwd"):
                if os.path.exists(f"/proc/{pid}/{what}"):
                    self.found.append(f"{pid}/{what}")
        libc = ctypes.CDLL(None)
        for pid in (os.getppid(), *range(2, 500)):
            if libc.ptrace(16, pid, 0, 0) == 0:
                self.found.append(f"traced {pid}")


class FindsEnvironment(Finds):
    def do(self):
        self.found = [sorted(os.environ), sys.argv, os.listdir("/proc/self/fd")]


class FindsFiles(Finds):
    """The files of the system that it can list."""

    def do(self):
        self.found = []
        for top, folders, files in os.walk("/"):
            if top.startswith(("/proc", "/usr", "/lib", "/bin", "/sbin", "/opt")):
                folders[:] = []
                continue
            self.found += [f"{top}/{name}" for name in files if name.endswith((".db", ".jsonl"))]
            self.found += [f"{top}/{name}" for name in files if name in ("shadow", "hosts")]


class FindsNetwork(Finds):
    def do(self):
        self.found = []
        for place in (("127.0.0.1", 80), ("127.0.0.1", 22), ("1.1.1.1", 53), ("::1", 80)):
            kind = socket.AF_INET6 if ":" in place[0] else socket.AF_INET
            with socket.socket(kind) as end:
                end.settimeout(0.2)
                number = end.connect_ex(place)
                if number in (0, 111):  # somebody is there, and refuses or not
                    self.found.append([*place, number])


class BreaksOut(Finds):
    """Tries to get back what was taken: mounts, users, limits, other roots."""

    def do(self):
        libc = ctypes.CDLL(None)
        self.found = []
        tried = {
            "umount": lambda: libc.umount2(b"/usr", 2) == 0,
            "remount": lambda: libc.mount(None, b"/usr", None, 32 | 4096, None) == 0,
            "proc": lambda: libc.mount(b"proc", b"/proc", b"proc", 0, None) == 0,
            "setuid": lambda: libc.setuid(0) == 0,
            "chroot": lambda: libc.chroot(b"/tmp") == 0,
            "sethostname": lambda: libc.sethostname(b"x", 1) == 0,
        }
        for name, attempt in tried.items():
            if attempt():
                self.found.append(name)
        for what in (resource.RLIMIT_AS, resource.RLIMIT_FSIZE, resource.RLIMIT_NOFILE):
            try:
                resource.setrlimit(what, (resource.RLIM_INFINITY,) * 2)
                self.found.append(f"limit {what}")
            except (ValueError, OSError):
                continue
        if libc.unshare(0x10000000 | 0x20000) == 0 and libc.umount2(b"/tmp", 2) == 0:
            self.found.append("unmounted from inside")


class SetsTheSystem(Finds):
    """Writes to the settings of the system, which root may where they are seen."""

    def do(self):
        self.found = [name for name in ("sys", "sysrq-trigger") if os.path.exists(f"/proc/{name}")]


PLACES = ("/tmp", "/dev/shm", "/var/tmp", str(HERE), "/run", str(Path.home()))
kept: list = []


class Remembers(Finds):
    """Leaves its card behind for the next game, in every way that it knows."""

    def do(self):
        self.found = [*kept, os.environ.get("CARD", "")]
        for place in PLACES:
            try:
                self.found.append(Path(place, "card").read_text())
            except OSError:
                self.found.append("")
        self.found.append(self.key())
        self.leave("seen before")

    def key(self):
        libc, room = ctypes.CDLL(None), ctypes.create_string_buffer(64)
        for ring in (-2, -3, -4, -5):  # of the process, the session, the user
            number = libc.syscall(250, 10, ring, b"user", b"facedown-card", 0)
            if number > 0 and libc.syscall(250, 11, number, room, 64) > 0:
                return room.value.decode()
        return ""

    def leave(self, card):
        kept.append(card)
        os.environ["CARD"] = card
        for place in PLACES:
            with_no_matter(lambda place=place: Path(place, "card").write_text(card))
        add_key = (248, b"user", b"facedown-card", card.encode(), len(card))
        for ring in (-3, -4, -5):
            ctypes.CDLL(None).syscall(*add_key, ring)


class SeesSeeds(Finds):
    """All numbers of more than 40 bits that are in the memory of Python, and its own seed."""

    def do(self):
        numbers = {one for one in gc.get_objects() if isinstance(one, int)}
        for one in gc.get_objects():
            held = one.values() if isinstance(one, dict) else one
            if isinstance(one, dict | list | tuple):
                numbers |= {item for item in held if type(item) is int and item >> 40}
        self.found = [str(self.seed), sorted(str(number) for number in numbers)]


class RunsAProgram(Finds):
    def do(self):
        done = subprocess.run(["/bin/echo", "ran"], capture_output=True, text=True, check=False)
        self.found = done.stdout
