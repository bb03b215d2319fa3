"""Tournaments: who meets whom, the same result however it is played, and what is refused."""

import random

import pytest

from facedown.arena import crew, workers
from facedown.arena.backends import Local
from facedown.arena.crew import Crew
from facedown.arena.forms import FORMS, Encounter, Field, most_encounters
from facedown.arena.schedule import Schedule
from facedown.arena.tournament import Tournament, described, read_description
from facedown.arena.work import play_task
from facedown.core import FacedownError, SpecError
from facedown.store.store import MEMORY, Store
from support import SUPPORT

THREE = ["so-ismcts:iterations=20", "random", "scripted"]


def tournament(**settings):
    return Tournament(described({"game": "kuhn", "agents": THREE, "games": 20, **settings}))


def played(made, backend=None, seed=7):
    with Store(MEMORY) as store:
        return made.play(store, made.begin(store, seed), backend or Local())


# --- forms -------------------------------------------------------------------------------------


def whole(form, agents, strength, **more):
    """All encounters of a form where the stronger agent wins, and the order in the end."""
    points = {}
    while True:
        drawn = FORMS[form](Field(tuple(agents), **more), points)
        fresh = [one for one in drawn.encounters if one not in points]
        if not fresh:
            assert drawn.complete
            return drawn
        for one in fresh:
            points[one] = [strength[agent] for agent in one.agents]


@pytest.mark.parametrize("count", range(2, 9))
@pytest.mark.parametrize("form", ["ladder", "elimination", "round-robin"])
def test_the_strongest_comes_out_first(form, count):
    agents = [f"agent{k}" for k in range(count)]
    for seed in range(20):
        values = random.Random(seed).sample(range(100), count)
        strength = dict(zip(agents, values, strict=True))
        drawn = whole(form, agents, strength, seed=seed)
        best = sorted(agents, key=lambda agent: -strength[agent])
        assert len(drawn.encounters) <= most_encounters(form, Field(tuple(agents)))
        assert len(set(drawn.encounters)) == len(drawn.encounters)
        if form == "ladder":
            assert drawn.order == best
        elif form == "elimination":
            assert len(drawn.encounters) == count - 1
            assert drawn.order[0] == best[0]
            assert sorted(drawn.order) == sorted(agents)
        else:
            assert len(drawn.encounters) == count * (count - 1) // 2


def test_who_shares_the_points_goes_on_if_drawn_first_and_does_not_climb():
    even = dict.fromkeys("abcd", 1)
    drawn = whole("elimination", "abcd", even, seed=3)
    assert drawn.order[0] == drawn.encounters[0].agents[0]
    assert whole("ladder", "abcd", even).order == list("abcd")


def test_one_against_many_and_tables():
    strength = dict.fromkeys("abcdxy", 1)
    against = whole("against", "ab", strength, against=("x", "y"))
    assert [one.agents for one in against.encounters] == [
        ("a", "x"), ("a", "y"), ("b", "x"), ("b", "y"),
    ]  # fmt: skip
    assert len(whole("tables", "abcd", strength, players=3).encounters) == 4
    assert Encounter("a - b", ("a", "b")) in whole("round-robin", "ab", strength).encounters


# --- playing -----------------------------------------------------------------------------------


@pytest.mark.parametrize("form", ["round-robin", "ladder", "elimination"])
def test_the_result_is_the_same_in_processes(form):
    made = tournament(form=form, margin=0.2)
    here = played(made)
    assert played(made, Local(2)) == here
    assert {one.agent for one in here.ratings} == set(THREE)
    assert sum(one.rating for one in here.ratings) == pytest.approx(0, abs=1e-6)
    assert here.games == sum(one.games for one in here.met)


def test_points_are_those_of_the_matches():
    made = tournament()
    with Store(MEMORY) as store:
        run = made.begin(store, 7)
        result = made.play(store, run, Local())
        for met, match in zip(result.met, store.matches(run.id), strict=True):
            agents = match.result["agents"]
            won = tuple(one["wins"] + one["draws"] / 2 for one in agents)
            assert met.points == won
            assert met.agents == tuple(one["spec"] for one in agents)
        assert store.run(run.id).finished
        again = made.play(store, made.begin(store), Local())
        assert again == result


def test_games_of_sides_and_of_odd_seats_are_played_both_ways():
    sides = tournament(game="resistance", agents=["random", "logical"], games=6)
    result = played(sides)
    assert [one.games for one in result.met] == [12]
    assert [one.sides for one in result.met[0].matches] == [("spies", "resistance")] * 2
    odd = tournament(
        game=f"{SUPPORT / 'arena_games.py'}:Unlucky:players=3",
        agents=["random", "flat-mc"],
        games=6,
    )
    assert [fixture.specs for fixture in odd.legs(["random", "flat-mc"])] == [
        ("random", "flat-mc*2"), ("random*2", "flat-mc"),
    ]  # fmt: skip


def test_a_sweep_is_a_tournament_of_one_agent():
    made = tournament(agents=["so-ismcts:iterations=9"], over={"c": ["0.3", "0.7"]}, games=4)
    assert [one.agent for one in sorted(played(made).ratings, key=lambda one: one.agent)] == [
        "so-ismcts:iterations=9,c=0.3",
        "so-ismcts:iterations=9,c=0.7",
    ]


def test_one_that_was_stopped_goes_on_and_ends_as_if_it_had_not_been(monkeypatch):
    made, count = tournament(form="elimination", margin=0.2), iter(range(1, 10_000))
    expected = played(made)
    once = workers.play_planned

    def stopping(*given):
        if next(count) % 9 == 0:
            raise KeyboardInterrupt
        return once(*given)

    monkeypatch.setattr(workers, "play_planned", stopping)
    with Store(MEMORY) as store:
        for _ in range(100):
            run = made.begin(store, 7)
            try:
                result = made.play(store, run, Local())
                break
            except KeyboardInterrupt:
                continue
        assert run.id == 1
        assert result == expected


# --- workers that die ---------------------------------------------------------------------------


class Mortal:
    """Workers in this process that lose what they are given now and then, and come in any order."""

    def __init__(self, seed, lose):
        self.draw, self.lose, self.tasks, self.deaths = random.Random(seed), lose, [], 0

    def size(self):
        return 3

    def submit(self, task):
        self.tasks.append(task)

    def collect(self):
        task = self.tasks.pop(self.draw.randrange(len(self.tasks)))
        if self.draw.random() < self.lose:
            self.deaths += 1
            return [(task, None)]
        return [(task, play_task(task))]

    def finished(self):
        return []


class Dying:
    def __init__(self, seed, lose):
        self.pool = Mortal(seed, lose)

    def play(self, agenda, games):
        Crew(self.pool, agenda).run()


@pytest.mark.parametrize("seed", range(6))
def test_workers_that_die_change_nothing(seed, monkeypatch):
    monkeypatch.setattr(crew, "MOST_DEATHS", 100)
    made = tournament(form="ladder" if seed % 2 else "elimination", margin=0.2)
    backend = Dying(seed, 0.3)
    assert played(made, backend) == played(made)
    assert backend.pool.deaths > 0


def test_games_that_kill_every_worker_are_told():
    with pytest.raises(FacedownError, match=r"died 4 times over the same games of kuhn \(from"):
        played(tournament(), Dying(1, 1.0))


def test_a_real_worker_that_dies_is_replaced(tmp_path):
    """It dies in its first game, and not where it is made again."""
    agent = f"{SUPPORT / 'mortal_player.py'}:DiesOnce:mark={tmp_path / 'died'}"
    settings = {"agents": [agent, "random"], "games": 12}
    from facedown.arena.apart.seat import Isolation

    made = Tournament(described({"game": "kuhn", **settings}), isolation=Isolation(False))
    result = played(made, Local(2))
    assert (tmp_path / "died").exists()
    assert result.games == 12
    assert played(made) == result


# --- what is refused -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"agents": []}, "a tournament wants agents"),
        ({"agents": ["random"]}, "1 agents are given; round-robin wants at least 2"),
        ({"agents": ["random", "random"]}, "random is given twice"),
        ({"form": "cup"}, "no form 'cup' of a tournament; there are round-robin, against"),
        ({"form": "against"}, "the form against wants agents, and others"),
        ({"form": "against", "against": ("random",)}, "random is held against itself"),
        ({"against": ("x",)}, "`against` is for the form against"),
        ({"games": 0}, "games is 0; at least 1 is wanted"),
        ({"games": 10**9}, "that is 3,000,000,000 games"),
        ({"agents": ["random", "nobody"]}, "nobody"),
        ({"stop": 2.0}, "stop is 2"),
        ({"over": {"c": ["1"]}, "agents": ["random", "scripted"]}, "c"),
    ],
)
def test_what_cannot_be_meant_is_refused(settings, said):
    with pytest.raises(SpecError, match=said):
        tournament(**settings)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("game = ", "is not TOML"),
        ("colour = 1", "no setting 'colour'; there are game, agents"),
        ('agents = "random"', "agents is to be a list of texts"),
        ("agents = [1]", "agents is to be a list of texts"),
        ("games = 1.5", "games is to be a number"),
        ("games = true", "games is to be a number"),
        ("duplicate = 1", "duplicate is to be true or false"),
        ("[over]\nc = 1", "over is to be a table of lists"),
        ("[over]\nc = []", "over is to be a table of lists"),
    ],
)
def test_a_bad_file_is_refused(tmp_path, text, said):
    file = tmp_path / "cup.toml"
    file.write_text(text)
    with pytest.raises(SpecError, match=said):
        read_description(file)


def test_a_file_says_it_all(tmp_path):
    file = tmp_path / "cup.toml"
    file.write_text(
        'game = "leduc"\nagents = ["so-ismcts"]\nform = "elimination"\ngames = 8\nmargin = 0.1\n'
        "[over]\nc = [0.5, 1]\ntable = [true]\n"
    )
    told = described(read_description(file))
    assert told.competitors == ("so-ismcts:c=0.5,table=true", "so-ismcts:c=1,table=true")
    assert told.stopping.margin == 0.1
    with pytest.raises(SpecError, match="No such file"):
        read_description(tmp_path / "none.toml")


def test_a_schedule_is_left_with_nothing_open():
    made = tournament()
    with Store(MEMORY) as store:
        run = made.begin(store, 7)
        entered = Field(made.field.agents, seed=7)
        with Schedule(
            made.legs, lambda met: FORMS["ladder"](entered, met), store, run, "x"
        ) as todo:
            task = todo.hand_out(0.25, 4)
            assert task.plan.games == 20
        assert store.run(run.id).done == 0
