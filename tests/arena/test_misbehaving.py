"""Whatever an isolated agent does, it forfeits its game or plays on, and the match is unharmed."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from pathlib import Path

import pytest

from facedown.agents.base import Agent
from facedown.arena.apart.limits import Limits
from facedown.arena.apart.seat import ApartAgent, Cells
from facedown.arena.game import play_game
from facedown.arena.match import run_match
from facedown.core import SpecError
from facedown.games.registry import load_game
from facedown.store.store import Store
from support import SUPPORT
from support.misbehaving import MASK

AGENTS = SUPPORT / "misbehaving.py"
SHORT, LONG = 0.7, 60.0  # seconds for a move of who does not come back, and of who does
SMALL = Cells(Limits(memory=400, files=8))

OVERRUN = "Overrun: more than 0.7 s for a move"
DIED = "Died: "
PLAYS = ""  # no forfeit at all
NO_LINE = "NoAnswer: what it sent is no line: "

TABLE = {
    # it dies
    "Exits": "Died: its process ended with status 3",
    "ExitsAsIfWell": "Died: its process ended with status 0",
    "Leaves": "SystemExit: bye",
    "RaisesBase": "BaseException: the very base",
    "RaisesInterrupt": "KeyboardInterrupt",
    "RaisesGeneratorExit": "GeneratorExit",
    "Aborts": "Died: its process was ended by SIG",
    "Segfaults": "Died: its process was ended by SIGSEGV",
    "RecursesForever": "RecursionError: ",
    "RecursesWithoutLimit": (DIED, "MemoryError", "RecursionError", OVERRUN),
    "ForksAndLeaves": (DIED, PLAYS),  # its child may be quick enough to make its last move
    "BecomesAnother": DIED,
    "ClosesItsLine": DIED,
    "ShutsItsLine": DIED,
    "DiesWhenMade": "Died: its process ended with status 9",
    "DiesWhenTold": "Died: its process ended with status 9",
    # it does not come back
    "Loops": OVERRUN,
    "SwallowsEverything": OVERRUN,
    "BlocksSignals": OVERRUN,
    "LoopsInC": OVERRUN,
    "CountsDigits": OVERRUN,
    "Sleeps": OVERRUN,
    "StopsItself": OVERRUN,
    "NeverReads": OVERRUN,
    "DeadlocksItself": OVERRUN,
    "BeginsALine": OVERRUN,
    "DripsALine": OVERRUN,
    "ForksForever": (OVERRUN, DIED),
    "StartsThreadsForever": (OVERRUN, DIED),
    # it takes too much
    "TakesAllMemory": ("MemoryError", DIED, OVERRUN),
    "MapsAllMemory": ("OSError: ", "MemoryError", DIED),
    "LargeArray": ("MemoryError", "_ArrayMemoryError", "ArrayMemoryError"),
    "FillsTheDisk": ("OSError: ", DIED),
    "FillsTheDiskFileByFile": ("OSError: ", DIED),
    "OpensEverything": "OSError: [Errno 24]",
    # it sends what is no move
    "ReturnsHuge": "IllegalMove: a number of 16610 bits is not legal here; legal: pass, bet",
    "ReturnsNegative": "IllegalMove: -1 is not legal here",
    "ReturnsText": "NotAMove: choose gave str",
    "ReturnsHalf": "NotAMove: choose gave float",
    "ReturnsTrue": "NotAMove: choose gave bool",
    "ReturnsList": "NotAMove: choose gave list",
    "ReturnsInfinity": "NotAMove: choose gave float",
    "ReturnsEqualToAll": (PLAYS, "IllegalMove: 77"),
    "SendsPickle": NO_LINE,
    "SendsList": NO_LINE + "it is no JSON object but list",
    "SendsNothing": NO_LINE + "it is not JSON",
    "SendsHugeNumber": NO_LINE + "it is not JSON: Exceeds the limit",
    "SendsDeepJson": NO_LINE + "lists are nested more than 64 deep",
    "SendsDeepObjects": NO_LINE + "lists are nested more than 64 deep",
    "SendsNaN": NO_LINE + "it is not JSON: NaN is no JSON",
    "SendsBytes": NO_LINE + "it is not UTF-8",
    "SendsZeros": NO_LINE + "it is not JSON",
    "SendsTextMove": "NotAMove: choose gave str",
    "SendsFloatMove": "NotAMove: choose gave float",
    "SendsNoMove": "NotAMove: choose gave NoneType",
    "SendsStrangeError": "Error: it gave no reason",
    "SendsEscapes": r"\x1b[2J\x1b]0;owned\x07 \ud800",
    "SendsLongLine": NO_LINE + "it is longer than 1,048,576 bytes",
    "SendsTwoAnswers": (PLAYS, "OutOfTurn"),
    "SendsDoubleKeys": "IllegalMove: 98 is not legal here",
    "Floods": NO_LINE + "it is longer than 1,048,576 bytes",
    "FloodsFromAThread": (NO_LINE, "OutOfTurn"),
    "AnswersForBoth": ("OutOfTurn: it sent a line that nobody had asked for", PLAYS),
    # what it says of itself
    "RaisesLongText": "ValueError: long long",
    "RaisesEscapes": r"ValueError: \x1b[31mred\x07 \ud800 overwritten \u202e turned",
    "RaisesWithoutText": "Mute: its text raised an error itself",
    "SumsCircular": "RecursionError: ",
    "SumsDeep": "RecursionError: ",
    "SumsText": "TypeError: summary() gave str",
    "SumsHuge": "TypeError: a number of more than 64 bits is not plain JSON",
    "SumsLong": NO_LINE + "it is longer than 1,048,576 bytes",
    "SumsSurrogates": PLAYS,
    "SumsNaN": PLAYS,
    "PacesStrangely": PLAYS,
    # it meddles, and plays on
    "KillsItself": PLAYS,
    "KillsEverybody": PLAYS,
    "GoesElsewhere": PLAYS,
    "Prints": PLAYS,
    "LeavesADaemon": (PLAYS, "OutOfTurn"),
    "PatchesPython": (PLAYS, DIED),
    "Writes": PLAYS,
    # it looks for what it must not know
    "FindsObjects": PLAYS,
    "FindsFiles": PLAYS,
    "FindsMemory": PLAYS,
    "FindsProcesses": PLAYS,
    "FindsEnvironment": PLAYS,
    "FindsNetwork": PLAYS,
    "BreaksOut": PLAYS,
    "SetsTheSystem": PLAYS,
    "RunsAProgram": PLAYS,
}


class Bets(Agent):
    """Plays the last move: an agent that passes is asked a second time."""

    def choose(self, view, legal):
        return legal[-1]


def against(name, *, cells=SMALL, clock=LONG, seed=1):
    """A game of Kuhn poker that a misbehaving agent begins."""
    makers = [
        lambda game, player: ApartAgent(game, player, seed, f"{AGENTS}:{name}", cells, clock=clock),
        lambda game, player: Bets(game, player, seed=2),
    ]
    return play_game(load_game("kuhn"), makers, deal_seed=7, clock=clock)


def found(name, **options):
    """What an agent has found, that plays on: what it would have recorded at its first move."""
    record = against(name, **options)
    assert record.forfeits == ()
    return next(move.summary["found"] for move in record.moves if move.player == 0)


def state():
    """What of this process an agent could have touched."""
    return (
        os.getcwd(),
        dict(os.environ),
        signal.getsignal(signal.SIGINT),
        signal.getitimer(signal.ITIMER_REAL),
        len(os.listdir("/proc/self/fd")),
    )


def test_the_table_is_of_at_least_fifty():
    assert len(TABLE) >= 50


@pytest.fixture(scope="module")
def _begun():
    """Whatever is started once is there."""
    against("Plays")


def clock_of(name):
    """Long where no clock is to strike: whoever plays on does so on a busy machine, too."""
    return SHORT if OVERRUN in TABLE[name] else LONG


@pytest.mark.usefixtures("_begun")
@pytest.mark.parametrize("name", TABLE)
def test_it_forfeits_or_plays_on_and_the_match_is_unharmed(name):
    before = state()
    record = against(name, clock=clock_of(name))
    wanted = TABLE[name] if isinstance(TABLE[name], tuple) else (TABLE[name],)
    reasons = [forfeit.reason for forfeit in record.forfeits]
    if reasons:
        assert record.forfeits[0].player == 0
        assert record.payoffs == (-2.0, 2.0)
        assert any(want and reasons[0].startswith(want) for want in wanted), reasons
        assert reasons[0].isprintable()
        assert len(reasons[0]) < 1000
    else:
        assert PLAYS in wanted
        assert sum(record.payoffs) == 0.0
    assert state() == before


def processes():
    """How many processes there are whose command is a server's."""
    listed = subprocess.run(["ps", "-eo", "args"], capture_output=True, text=True, check=True)
    return sum("facedown.arena.apart.server" in row for row in listed.stdout.splitlines())


@pytest.mark.usefixtures("_begun")
@pytest.mark.parametrize("name", ["LeavesADaemon", "ForksForever", "SwallowsEverything"])
def test_nothing_that_it_started_is_left(name):
    before = processes()
    against(name, clock=clock_of(name))
    deadline = time.monotonic() + 60
    while processes() > before and time.monotonic() < deadline:
        time.sleep(0.1)
    assert processes() <= before


def test_processor_time_can_be_limited():
    cells = Cells(Limits(cpu=1))
    record = against("UsesProcessors", cells=cells)
    assert record.forfeits[0].reason == "Died: its process was ended by SIGKILL"


# --- what it could find out ------------------------------------------------------------------


def test_no_position_but_its_view_is_in_its_memory():
    game, views = load_game("kuhn"), []

    class Looks(Bets):
        def choose(self, view, legal):
            views.append(view.digest().hex())
            return super().choose(view, legal)

    record = against("FindsObjects")
    truth = game.start()
    for move in record.moves[:2]:
        truth.apply(move.move)
    assert next(m.summary["found"] for m in record.moves if m.player == 0) == [
        truth.view(0).digest().hex()
    ]


def test_no_other_process_is_to_be_seen_or_traced():
    assert found("FindsProcesses") == []


def test_the_environment_the_command_line_and_descriptors_tell_nothing(monkeypatch):
    monkeypatch.setenv("SECRET_SEED", "1234567")
    names, arguments, descriptors = found("FindsEnvironment")
    assert "SECRET_SEED" not in names
    assert "1234567" not in str(arguments)
    assert len(descriptors) <= 5  # three that lead nowhere, the line, and the listing itself


def test_the_network_is_out_of_reach():
    assert found("FindsNetwork") == []


def test_what_was_taken_from_it_stays_taken():
    assert found("BreaksOut") == []
    assert found("SetsTheSystem") == []


def test_it_writes_nowhere_but_to_a_folder_that_goes_with_it():
    assert found("Writes") == []
    assert not [*SUPPORT.glob("left_behind*"), *Path.cwd().glob("left_behind*")]


def test_files_of_others_are_out_of_sight(tmp_path):
    (tmp_path / "other.db").write_text("secret")
    assert [file for file in found("FindsFiles") if "/site-packages/" not in file] == []


def test_its_memory_does_not_hold_the_seed_of_the_match():
    seed, own = 0x1234_5678_9ABC_DEF1, 0x0FED_CBA9_8765_4321
    assert found(f"FindsMemory:masked={seed ^ MASK}", seed=own) == []
    assert found(f"FindsMemory:masked={own ^ MASK}", seed=own) != []  # it does find its own


def test_nothing_of_one_deal_is_known_in_the_next():
    for _ in range(2):
        assert not any(found("Remembers"))


LOOKS = """
from pathlib import Path
from facedown import Agent

class Looks(Agent):
    def choose(self, view, legal):
        files = [file for file in Path.cwd().glob("own.db*")]
        self.found = [[file.name, len(file.read_bytes())] for file in files]
        return legal[0]

    def summary(self):
        return {"found": self.found}
"""


@pytest.mark.parametrize("isolate", [True, False])
def test_the_store_beside_an_agent_is_empty_to_it(tmp_path, monkeypatch, isolate):
    monkeypatch.chdir(tmp_path)
    agent = tmp_path / "looks.py"
    agent.write_text(LOOKS)
    with Store(tmp_path / "own.db") as store:
        run_match("kuhn", [f"{agent}:Looks", "random"], 2, 5, isolate=isolate, store=store)
        (run,) = store.runs()
        records = list(store.matches(run.id)[0].records())
    told = [m.summary["found"] for r in records for m in r.moves if m.summary is not None]
    sizes = {name: size for listed in told for name, size in listed if not name.endswith("-shm")}
    assert told
    assert bool(sum(sizes.values())) is not isolate


# --- without isolation -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("RaisesBase", "BaseException: the very base"),
        ("RaisesGeneratorExit", "GeneratorExit"),
        ("ReturnsHuge", "IllegalMove: a number of 16610 bits"),
        ("SumsHuge", "TypeError: a number of more than 64 bits"),
        ("RaisesEscapes", r"ValueError: \x1b[31mred"),
    ],
)
def test_in_the_same_process_these_forfeit_too(name, reason):
    result = run_match("kuhn", [f"{AGENTS}:{name}", "random"], 2, 5, isolate=False)
    (given,) = result.agents[0].forfeits
    assert given.startswith(reason)
    assert result.agents[0].isolated is False
    assert "was not isolated: it could have peeked" in " ".join(result.notes)


def test_a_file_that_does_not_load_is_told_before_the_match(tmp_path):
    for text, said in [
        ("import sys\nsys.exit(3)\n", "SystemExit: 3"),
        ("raise BaseException('no')\n", "BaseException: no"),
        ("import os\nos._exit(4)\n", "its process ended with status 4"),
        ("def (\n", "does not load: SyntaxError"),
    ]:
        file = Path(tmp_path, f"agent{len(text)}.py")
        file.write_text(text)
        with pytest.raises(SpecError, match=said):
            run_match("kuhn", [f"{file}:Mine", "random"], 2, 5)
