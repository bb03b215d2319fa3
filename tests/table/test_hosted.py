"""A sitting in a thread: answers, refusals, moves taken back, sleep and restarts."""

import threading
import time

import pytest

from facedown.arena.replay import replay
from facedown.core import SpecError
from facedown.store.records import HUMAN
from facedown.store.store import Store
from facedown.store.tables import KEEPER
from facedown.table.hosted import RefusedError
from facedown.table.house import House, Order, Table
from facedown.table.story import Story
from facedown.table.thinkers import Thinkers


@pytest.fixture
def house(tmp_path):
    with Store(tmp_path / "store.db") as store, House(store) as found:
        yield found


def until(wanted, seconds=600):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if found := wanted():
            return found
        time.sleep(0.005)
    raise AssertionError("it never came")


def asked(table, player=0):
    """The look of a seat once it is asked; None where the game has ended."""

    def found():
        hosted = table.awake()
        if table.over:
            return "over"
        assert not hosted.error, hosted.error
        look = hosted.look(player)
        return look if look is not None and look.ticket is not None else None

    look = until(found)
    return None if look == "over" else look


def play_out(table, player=0, choose=lambda look: 0):
    while (look := asked(table, player)) is not None:
        table.hosted.answer(player, look.ticket, choose(look))
        until(lambda at=look.ticket: table.over or _moved(table, player, at))


def _moved(table, player, ticket):
    look = table.hosted.look(player)
    return look.ticket != ticket


@pytest.mark.parametrize("game", ["kuhn", "leduc", "liars-dice"])
def test_a_whole_game_is_played_and_kept(house, game):
    table, _ = house.open(Order(game, (HUMAN, "random")))
    play_out(table)
    record = table.record()
    replay(record)
    assert record.agents == (HUMAN, "random")
    assert not record.assisted
    assert house.tables.decisions(table.kept.id) == []
    assert house.find(table.kept.id).kept.run == 1
    (match,) = house.store.matches(1)
    assert [m.text for m in match.record(0).moves] == [m.text for m in record.moves]


def test_what_is_not_a_seats_to_do_is_refused_and_changes_nothing(house):
    table, _ = house.open(Order("kuhn", (HUMAN, HUMAN)))
    table.sit_down()
    look = asked(table, 0)
    hosted = table.hosted
    refusals = [
        (1, look.ticket, 0, "not your turn"),
        (0, look.ticket - 1, 0, "of before"),
        (0, look.ticket + 1, 0, "of before"),
        (0, None, 0, "of before"),
        (0, look.ticket, 2, "no move 2"),
        (0, look.ticket, -1, "no move -1"),
        (0, look.ticket, True, "by its place"),
        (0, look.ticket, "0", "by its place"),
        (0, look.ticket, [0], "by its place"),
    ]
    for player, ticket, place, why in refusals:
        with pytest.raises(RefusedError, match=why):
            hosted.answer(player, ticket, place)
    assert hosted.look(0) == look
    hosted.answer(0, look.ticket, 0)
    with pytest.raises(RefusedError):  # the same again
        hosted.answer(0, look.ticket, 0)
    with pytest.raises(RefusedError, match="nothing to take back"):  # at a shared table
        hosted.undo(1, asked(table, 1).ticket)


def test_only_who_holds_the_token_has_the_seat(house):
    table, token = house.open(Order("resistance", (HUMAN, HUMAN, *["random"] * 3), seat=1))
    name = table.kept.id
    assert house.seat(name, token).player == 1
    assert table.gathering
    invite = table.invite
    assert table.invites(invite)
    other = table.sit_down("Ada <b>")
    assert house.seat(name, other).player == 0
    assert not table.gathering
    assert not table.invites(invite)
    with pytest.raises(RefusedError, match="all seats"):
        table.sit_down()
    for wrong in ("", "x", token[:-1], token + "a", other + token, invite):
        assert house.seat(name, wrong) is None
    assert house.seat("nowhere", token) is None
    kept = str(house.store.read("SELECT settings, seats FROM tables"))
    assert token not in kept
    assert other not in kept


def test_agents_take_the_seats_that_stay_free(house):
    table, _ = house.open(Order("resistance", (HUMAN, HUMAN, HUMAN, "random", "random")))
    table.fill("random")
    assert table.specs == (HUMAN, *["random"] * 4)
    play_out(table)
    assert table.record().agents[1] == "random"


def test_people_vote_at_once_and_see_no_more_by_it(house):
    """Whoever comes last may vote first; what they chose stands, and nobody is told before."""
    table, _ = house.open(Order("resistance", (HUMAN,) * 3 + ("random",) * 2, seed=5))
    table.sit_down()
    table.sit_down()
    hosted = table.awake()

    def votes():
        """What all three are asked, once that is their vote; whoever leads names a team before."""
        looks = [hosted.look(player) for player in range(3)]
        for player, look in enumerate(looks):
            if look is not None and look.ticket is not None and len(look.moves) > 2:
                hosted.answer(player, look.ticket, 0)
        return looks if all(look and len(look.moves) == 2 for look in looks) else None

    looks = until(votes, 60)
    approve = [[move.text for move in look.moves].index("approve") for look in looks]
    for player in (2, 1):
        before = [hosted.look(p).text for p in range(3)]
        hosted.answer(player, looks[player].ticket, approve[player])
        with pytest.raises(RefusedError, match="of before"):
            hosted.answer(player, looks[player].ticket, 1 - approve[player])
        assert [hosted.look(p).text for p in range(3)] == before
        assert hosted.look(player).ticket is None
    hosted.answer(0, looks[0].ticket, approve[0])
    made = until(lambda: _votes(house, table), 60)
    assert made == dict.fromkeys(range(3), "approve")


def _votes(house, table):
    """Who of the three people has voted what, once all have."""
    made = house.tables.decisions(table.kept.id)
    found = {one.player: one.text for one in made if one.text in ("approve", "reject")}
    return {p: found[p] for p in range(3)} if {0, 1, 2} <= set(found) else None


def test_a_move_is_taken_back_and_marks_the_game(house):
    table, _ = house.open(Order("cribbage", (HUMAN, "random"), seat=0))
    first = asked(table)
    with pytest.raises(RefusedError, match="nothing to take back"):
        table.hosted.undo(0, first.ticket)
    past = house.tables.decisions(table.kept.id)
    table.hosted.answer(0, first.ticket, 3)
    second = until(lambda: (look := asked(table)) and look.ticket != first.ticket and look)
    table.hosted.undo(0, second.ticket)
    again = until(lambda: (look := asked(table)) and look.ticket != second.ticket and look)
    assert (again.text, again.moves) == (first.text, first.moves)
    assert table.kept.marks == ["undo"]
    assert house.tables.decisions(table.kept.id) == past
    play_out(table, choose=lambda look: len(look.moves) - 1)
    assert table.record().assisted


def test_a_chosen_seed_marks_the_game_and_gives_the_same_deal(house):
    looks = []
    for _ in range(2):
        table, _ = house.open(Order("cribbage", (HUMAN, "random"), seed=7))
        looks.append(asked(table).text)
        assert table.kept.marks == ["seed"]
    assert looks[0] == looks[1]


def test_games_outlive_the_server(tmp_path):
    with Store(tmp_path / "store.db") as store, House(store) as house:
        table, token = house.open(Order("cribbage", (HUMAN, "random")))
        for _ in range(2):
            look = asked(table)
            table.hosted.answer(0, look.ticket, len(look.moves) - 1)
            before = until(
                lambda at=look.ticket: (now := asked(table)) and now.ticket != at and now
            )
    with Store(tmp_path / "store.db") as store, House(store) as house:
        seat = house.seat(table.kept.id, token)
        after = asked(seat.table)
        assert (after.text, after.moves, after.picture) == (
            before.text,
            before.moves,
            before.picture,
        )
        play_out(seat.table)
        replay(seat.table.record())


def test_nobody_looks_so_the_game_sleeps_and_its_search_ends(house):
    table, _ = house.open(Order("kuhn", ("so-ismcts:seconds=600", HUMAN)))
    table.awake()
    until(lambda: table.hosted.thinking_now)
    hosted = table.hosted
    house.sweep(lambda one: True)
    assert not hosted.alive
    assert house.tables.decisions(table.kept.id) == []  # what was cut short is no decision
    again = house.find(table.kept.id)
    assert again is not table
    assert again.awake() is not hosted


def test_a_search_that_others_wait_for_is_cut_short_and_the_record_says_so(house, monkeypatch):
    monkeypatch.setattr("facedown.table.thinkers.PATIENCE", 0.1)
    house.thinkers = Thinkers(1)
    order = Order("kuhn", ("so-ismcts:seconds=600", HUMAN))
    tables = [house.open(order)[0] for _ in range(2)]
    for table in tables:
        table.awake()
    hurried = until(lambda: [t for t in tables if house.tables.decisions(t.kept.id)])[0]
    (made,) = house.tables.decisions(hurried.kept.id)
    assert made.summary["hurried"] is True
    assert made.summary["iterations"] > 0
    play_out(hurried, 1)
    first, *_ = (k for k, move in enumerate(hurried.record().moves, 1) if move.player == 0)
    assert "cut short" in Story(hurried.record()).headline(first)


def test_progress_is_told_while_an_agent_thinks(house):
    table, _ = house.open(Order("kuhn", ("so-ismcts:seconds=600,iterations=40000000", HUMAN)))
    table.awake()
    thinking = until(lambda: table.hosted.thinking_now)
    first = until(thinking.progress)
    assert 0 < first < 1
    assert until(lambda: thinking.progress() > first)


def test_what_cannot_be_played_is_refused(house):
    for order in (
        Order("kuhn", (HUMAN, "nobody")),
        Order("kuhn", (HUMAN,)),
        Order("kuhn", (HUMAN, "random"), seat=1),
        Order("no-game", (HUMAN, "random")),
    ):
        with pytest.raises(SpecError):
            house.open(order)
    assert list(house.tables.all()) == []


def test_rules_that_have_changed_are_told_and_the_game_is_left(house):
    table, _ = house.open(Order("cribbage", (HUMAN, "random")))
    look = asked(table)
    table.hosted.answer(0, look.ticket, 1)
    until(lambda: house.tables.decisions(table.kept.id))
    table.sleep()
    with house.store.writing() as db:
        db.execute("UPDATE decisions SET text = 'dance' WHERE number = 0")
    kept = house.tables.decisions(table.kept.id)
    table.awake()
    until(lambda: table.hosted.error)
    assert "is not legal there any more" in table.hosted.error
    assert house.tables.decisions(table.kept.id) == kept


def test_whatever_goes_wrong_at_its_end_a_house_keeps_no_thread(tmp_path, monkeypatch):
    with Store(tmp_path / "store.db") as store:
        house = House(store)
        house.open(Order("kuhn", (HUMAN, "random")))

        def fails(table):
            raise RuntimeError("asleep it will not fall")

        monkeypatch.setattr(Table, "sleep", fails)
        with pytest.raises(RuntimeError, match="asleep"):
            house.close()
    assert KEEPER not in {thread.name for thread in threading.enumerate()}


def test_in_a_full_house_a_game_waits_until_another_sleeps(house, monkeypatch):
    monkeypatch.setattr("facedown.table.house.MOST_GAMES", 1)
    (first, _), (second, _) = (house.open(Order("kuhn", (HUMAN, "random"))) for _ in range(2))
    assert asked(first)
    second.present = 1
    assert second.awake() is None
    told = []
    second.listeners.add(lambda: told.append(True))
    house.sweep(lambda table: False)
    assert second.hosted is None
    house.sweep(lambda table: table is first)
    assert first.hosted is None
    assert asked(second)
    assert told


def test_whoever_plays_alone_wins_from_nobody(house):
    table, _ = house.open(Order("monty-hall", (HUMAN,)))
    play_out(table)
    (pay,) = table.record().payoffs
    assert until(lambda: table.hosted.result(0)) == f"You end with {pay:g}"
