"""Files that a user has written: only where nothing is, never onto what is no file, none lost."""

import os
import stat
import threading

import pytest

from facedown.arena.match import run_match
from facedown.core import SpecError
from facedown.core.files import NewFile, write_whole
from facedown.store.records import append_record, read_records, write_records
from support.running import run

GAME = ("match", "kuhn", "random", "random", "--games", "2")

COMMANDS = {
    "match": (*GAME, "--new", "--save"),
    "people": ("people", "cheat", "--pairs", "1", "--matches", "1", "--save"),
    "learn": ("learn", "cheat", "--from", "games.jsonl", "--blocks", "0", "--classifier",
              "decision-tree", "--out"),
    "curves": ("learn", "cheat", "--from", "games.jsonl", "--out", "new.skops", "--plot"),
    "winning": ("winning", "--hands", "1", "--out"),
    "referee": ("ggp", "referee", "tic-tac-toe", "http://127.0.0.1:1", "http://127.0.0.1:1",
                "--log"),
    "playtest": ("playtest", "kuhn", "--games", "2", "--budget", "2", "--levels", "2", "--out"),
    "tune": ("tune", "kuhn", "so-ismcts", "--games", "40", "--iterations", "2", "--out"),
    "jsettlers": ("jsettlers", "--port", "1", "--retries", "0", "--record"),
}  # fmt: skip


@pytest.fixture
def odd(tmp_path):
    """Places that are there and are no regular files, by what is said of them."""
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "link").symlink_to("pipe")
    (tmp_path / "folder").mkdir()
    (tmp_path / "to-folder").symlink_to("folder")
    made = dict.fromkeys(("pipe", "link"), "no regular file")
    made |= dict.fromkeys(("folder", "to-folder"), "a folder")
    if os.geteuid() == 0:
        os.mknod(tmp_path / "device", stat.S_IFCHR | 0o600, os.makedev(1, 3))
        made["device"] = "no regular file"
    return {tmp_path / name: words for name, words in made.items()}


def kinds(odd):
    return [stat.S_IFMT(place.lstat().st_mode) for place in odd]


@pytest.mark.parametrize("command", COMMANDS)
def test_nothing_but_a_regular_file_is_ever_written_over(command, odd, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    before = kinds(odd)
    for place, words in odd.items():
        for more in ((), ("--overwrite",)):
            ran = run(*COMMANDS[command], str(place), *more)
            assert ran.status == 2
            assert ran.err == f"facedown: cannot write {place}: it is {words}\n"
    assert kinds(odd) == before
    assert set(tmp_path.iterdir()) == set(odd)  # no litter


@pytest.mark.parametrize("command", COMMANDS)
def test_what_is_there_stays_unless_it_may_be_written_over(command, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    file = tmp_path / "letter.txt"
    file.write_text("dear")
    ran = run(*COMMANDS[command], str(file))
    assert ran.status == 2
    assert "letter.txt is there already, and is left as it is; --overwrite replaces it" in ran.err
    assert file.read_text() == "dear"
    assert [path.name for path in tmp_path.iterdir()] == ["letter.txt"]


def test_a_page_s_usual_name_is_no_leave_to_write_over_what_is_there(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "playtest-kuhn.html").write_text("dear")
    ran = run("playtest", "kuhn", "--games", "2")
    assert ran.status == 2
    assert "playtest-kuhn.html is there already, and is left as it is" in ran.err
    assert (tmp_path / "playtest-kuhn.html").read_text() == "dear"


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("name", ["nowhere/file", "x" * 300, "zero\0byte"])
def test_what_cannot_be_written_is_told_before_anything_is_played(
    command, name, monkeypatch, tmp_path
):
    if command in ("referee", "jsettlers") and "nowhere" in name:
        pytest.skip("these make the folder")
    monkeypatch.chdir(tmp_path)
    ran = run(*COMMANDS[command], name)
    assert ran.status == 2
    told = ("facedown: cannot write ", "facedown: Invalid value for '", "facedown: a word of the c")
    assert ran.err.startswith(told)
    assert ran.err.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("command", COMMANDS)
def test_a_full_disk_is_told_before_anything_is_played(command, small_disk, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(OSError, match="No space"):
        (small_disk / "filler").write_bytes(bytes(2_000_000))
    ran = run(*COMMANDS[command], str(small_disk / "file"))
    assert ran.status == 2
    assert "No space left on device" in ran.err
    assert [path.name for path in small_disk.iterdir()] == ["filler"]


def test_the_longest_name_is_one(tmp_path):
    file = tmp_path / ("x" * 255)
    NewFile(file).write("whole")
    assert file.read_text() == "whole"


def test_a_link_stands_for_what_it_leads_to(tmp_path):
    (tmp_path / "link").symlink_to("games.jsonl")
    assert run(*GAME, "--save", str(tmp_path / "link")).status == 0
    assert (tmp_path / "link").is_symlink()
    assert len(list(read_records(tmp_path / "games.jsonl"))) == 2


def test_files_of_the_program_s_own_replace_no_pipe(odd):
    for place in odd:
        with pytest.raises(SpecError, match="cannot write"):
            write_whole(place, "page")


# --- two at once ---------------------------------------------------------------------------------


@pytest.mark.parametrize("overwrite", [False, True])
def test_of_two_who_write_both_are_kept(tmp_path, overwrite):
    file = tmp_path / "model.skops"
    if overwrite:
        file.write_text("old")
    one, other = (NewFile(file, overwrite=overwrite) for _ in range(2))
    assert one.write("first") == file
    assert other.write("second") == tmp_path / "model-2.skops"
    assert (file.read_text(), (tmp_path / "model-2.skops").read_text()) == ("first", "second")
    assert len(list(tmp_path.iterdir())) == 2


def test_many_who_write_at_once_are_all_kept(tmp_path):
    barrier = threading.Barrier(8)

    def write(k):
        place = NewFile(tmp_path / "file")
        barrier.wait()
        place.write(str(k))

    threads = [threading.Thread(target=write, args=(k,)) for k in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(path.read_text() for path in tmp_path.iterdir()) == [str(k) for k in range(8)]


def add_many(file, record, count):
    for _ in range(count):
        append_record(file, record)


def test_many_who_add_games_at_once_are_all_kept(tmp_path):
    run_match("kuhn", ["random*2"], 1, 1, save=tmp_path / "one.jsonl")
    (record,) = read_records(tmp_path / "one.jsonl")
    file = tmp_path / "games.jsonl"

    args = (file, record, 50)
    threads = [threading.Thread(target=add_many, args=args) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert list(read_records(file)) == [record] * 200


# --- no space ------------------------------------------------------------------------------------


def test_a_disk_that_fills_up_keeps_the_games_that_it_had_space_for(small_disk, tmp_path):
    run_match("kuhn", ["random*2"], 1, 1, save=tmp_path / "one.jsonl")
    (record,) = read_records(tmp_path / "one.jsonl")
    file = small_disk / "games.jsonl"
    with pytest.raises(SpecError, match=r"No space left on device; it has the \d+ games before"):
        write_records(file, [record] * 10_000)
    kept = list(read_records(file))
    assert len(kept) > 500
    assert kept == [record] * len(kept)
    assert [path.name for path in small_disk.iterdir()] == ["games.jsonl"]


def test_a_game_that_finds_no_space_leaves_no_piece_of_it(small_disk, tmp_path):
    run_match("kuhn", ["random*2"], 1, 1, save=tmp_path / "one.jsonl")
    (record,) = read_records(tmp_path / "one.jsonl")
    file = small_disk / "games.jsonl"
    write_records(file, [record] * 500)
    (small_disk / "filler").write_bytes(bytes(os.statvfs(small_disk).f_bavail * 4096))
    with pytest.raises(SpecError, match="No space left on device"):
        add_many(file, record, 100)  # into what is left of the last block
    kept = list(read_records(file))
    assert kept == [record] * len(kept)
    assert 500 <= len(kept) < 600


def test_an_export_that_finds_no_space_leaves_nothing(small_disk):
    assert run("match", "kuhn", "random", "random", "--games", "3000", "--seed", "1").status == 0
    for form in ("jsonl", "csv"):
        ran = run("results", "export", "1", "--out", str(small_disk / f"games.{form}"))
        if form == "jsonl":
            assert ran.status == 2
            assert "No space left on device" in ran.err
            assert list(small_disk.iterdir()) == []
    assert run("results", "show", "1").status == 0
