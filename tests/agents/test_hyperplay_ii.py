"""HyperPlay-II: it values what it would get to know (Schofield and Thielscher 2019, section 6)."""

import threading
import time

import pytest

from facedown.agents.analysis import analyse
from facedown.agents.registry import make_agent
from facedown.arena.match import run_match
from facedown.core import CHANCE, OVER, RuleError, SpecError
from facedown.core.plain import adapt
from facedown.search.nested.playing import play_out
from facedown.search.nested.simulator import NestedPlayers, Simulator
from support import SUPPORT
from support.seats import game
from support.told_agents import BOMB, KUHN, MONTY, Locked, told, values

BOTH = ["hyperplay-ii", "hyperplay-ii-shared"]
ON = {"go on"}


def walked(name, agent_spec, player, *moves, seed=1):
    """As `told`, in a rule file: chance's moves without a choice are made as they come."""
    g = game(name)
    truth, agent, wanted = g.start(), make_agent(agent_spec, g, player, seed), list(moves)
    while wanted or truth.turn() == CHANCE:
        legal = truth.legal()
        forced = {g.move_text(move) for move in legal} == ON
        move = legal[0] if forced else g.parse_move(wanted.pop(0), legal)
        if token := truth.sees(move, player):
            agent.observe(token, "")
        truth.apply(move)
    return agent, truth


# --- what it is for ------------------------------------------------------------------------------


@pytest.mark.parametrize("name", BOTH)
def test_asking_about_the_bomb_is_worth_90_and_waiting_50(name):
    """Section 6.4, example 2 continued: HyperPlay says 45 and 50, and waits."""
    iterations = ",iterations=2000,sure=1000000,c=3" if name.endswith("shared") else ",samples=40"
    agent, truth = told(BOMB, f"{name}:models=20{iterations}", 0, "arm red")
    found = values(agent, truth)
    assert found["ask"] == pytest.approx(90)
    assert found["wait"] == pytest.approx(50, abs=8)
    for seed in range(5):
        agent, truth = told(BOMB, name, 0, "arm blue", seed=seed)
        assert game(BOMB).move_text(agent.choose(truth.view(0), truth.legal())) == "ask"


@pytest.mark.parametrize("name", BOTH)
def test_the_rule_file_of_the_bomb_too(name):
    for wire in ("red", "blue"):
        agent, truth = walked("exploding-bomb", name, 0, f"(arm {wire})")
        assert truth.game.move_text(agent.choose(truth.view(0), truth.legal())) == "ask"
    plain, truth = walked("exploding-bomb", "hyperplay:samples=50", 0, "(arm red)")
    assert truth.game.move_text(plain.choose(truth.view(0), truth.legal())) == "wait"


@pytest.mark.parametrize("name", BOTH)
def test_monty_halls_contestant_switches(name):
    for seed in range(3):
        agent, truth = told(MONTY, name, 0, "car 3", "choose 1", "open 2", seed=seed)
        assert game(MONTY).move_text(agent.choose(truth.view(0), truth.legal())) == "switch"
    agent, truth = told(MONTY, "hyperplay-ii", 0, "car 3", "choose 1", "open 2")
    assert values(agent, truth) == pytest.approx({"stay": 100 / 3, "switch": 200 / 3})


@pytest.mark.parametrize("name", BOTH)
def test_signals_without_a_meaning_are_all_worth_the_same(name):
    """Section 6.5: who cuts makes nothing of a colour that no rule ties to a wire."""
    budget = (
        "iterations=1200,sure=1000000,c=3" if name.endswith("shared") else "models=10,samples=60"
    )
    agent, truth = walked("cooperative-spies", f"{name}:{budget}", 0, "(arm red)")
    found = values(agent, truth)
    assert found == pytest.approx({"(signal red)": 50, "(signal blue)": 50}, abs=8)


# --- the equations, by hand ----------------------------------------------------------------------


class Lamp:
    """A hidden coin, heads three times of four. Peek for 1 or not; then say what it shows, for 8.

    Peeking: seen is the coin. So to peek is worth 8 - 1 = 7, and not to peek 8 * 3/4 = 6, if one
    says heads whenever that is likelier. A player that takes its models for the truth says either
    at random: after peeking 8 / 2 - 1 = 3, without 8 / 2 = 4.
    """

    players, bounds, most_moves = 1, (-1.0, 8.0), 2

    def start(self):
        return ()

    def turn(self, s):
        if len(s) == 3 + (s[1:2] == ("peek",)):
            return -2
        return CHANCE if not s or s[-1] == "peek" else 0

    def legal(self, s):
        if not s:
            return ["heads", "tails"]
        if len(s) == 1:
            return ["peek", "pass"]
        return [f"see {s[0]}"] if s[-1] == "peek" else ["say heads", "say tails"]

    def weights(self, s):
        return [3.0, 1.0] if not s else [1.0]

    def apply(self, s, move):
        return (*s, move)

    def sees(self, s, move, viewer):
        return move if s else "a coin"

    def payoff(self, s):
        return [8.0 * (s[-1] == f"say {s[0]}") - ("peek" in s)]

    def hide(self, s, viewer):
        return ("?", *s[1:]) if s else s

    infoset = hide


class Blink(Lamp):
    """Who peeks has to blink first."""

    def turn(self, s):
        return 0 if s[-1:] == ("peek",) else super().turn(self.unblinking(s))

    def legal(self, s):
        return ["blink"] if s[-1:] == ("peek",) else super().legal(self.unblinking(s))

    def unblinking(self, s):
        return tuple(move for move in s if move != "blink")


def lamp(spec, seed=1, kind=Lamp):
    g = adapt(kind(), "lamp.py:Lamp")
    truth, agent = g.start(), make_agent(spec, g, 0, seed)
    agent.observe(truth.sees(truth.legal()[0], 0), "")
    truth.apply(truth.legal()[0])
    return agent, truth


def test_equations_20_to_22_by_hand():
    """With 30 nested models both coins are among them, and weigh 3/4 and 1/4 (equation 8)."""
    agent, truth = lamp("hyperplay-ii:models=30,nested=30,samples=2")
    assert values(agent, truth) == pytest.approx({"peek": 7.0, "pass": 6.0})
    assert agent.game.move_text(agent.choose(truth.view(0), truth.legal())) == "peek"
    plain, truth = lamp("hyperplay:models=30,samples=400")
    assert values(plain, truth) == pytest.approx({"peek": 3.0, "pass": 4.0}, abs=0.35)


def test_every_move_is_simulated_equally_often_in_every_model():
    agent, truth = lamp("hyperplay-ii:models=6,samples=3")
    agent.choose(truth.view(0), truth.legal())
    assert agent.search.iterations == 6 * 2 * 3
    assert (agent.search.visits == 3).all()
    report = agent.search.report()
    assert [candidate.visits for candidate in report.candidates] == [18, 18]


def test_errors_fall_with_more_simulations_and_are_never_nothing():
    errors = []
    for samples in (4, 64):
        agent, truth = lamp(f"hyperplay-ii:models=6,samples={samples}")
        agent.choose(truth.view(0), truth.legal())
        errors.append([candidate.error for candidate in agent.search.report().candidates])
    for few, many in zip(*errors, strict=True):
        assert 0 < many < few / 3


def test_states_are_counted_one_for_each_move_tried_or_made():
    """One nested model and one sample, by hand.

    Peek: the model's move, peek, see, say: 4; the nested player, when it says, has a model that
    has tried at least 3 moves, and one random game of a ply for each of the two sayings. Pass: 3,
    and 2 tries, and two random games.
    """
    agent, truth = lamp("hyperplay-ii:models=1,samples=1,nested=1")
    agent.choose(truth.view(0), truth.legal())
    search, tried = agent.search, agent.bag.states
    least = (4 + 3 + 2) + (3 + 2 + 2)
    assert least <= search.states <= least + 1  # a model that peeks may have tried the wrong coin
    assert search.report().playout_plies == 4
    assert agent.states == search.states + tried
    assert agent.summary()["states"] == agent.states


def test_joint_states_are_moves_that_others_see():
    """By hand, as above: the coin and what a peek shows; the nested player's model tries them too.

    In the rule file a random game after a nested decision is a choice and the step that it makes.
    """
    agent, truth = lamp("hyperplay-ii:models=1,samples=1,nested=1")
    agent.choose(truth.view(0), truth.legal())
    assert (2 + 2) + (1 + 1) <= agent.search.simulator.joint_states <= 8
    counted = []
    for counts in (False, True):
        agent, truth = walked("exploding-bomb", "hyperplay-ii:models=2", 0, "(arm red)")
        search = agent.start_search(truth.view(0), truth.legal())
        if counts:
            search.simulator.count_joint()
        search.run(agent.budget)
        counted.append(search.simulator.joint_states)
    assert counted[1] - counted[0] == search.simulator.played / 2 > 0


@pytest.mark.parametrize("name", BOTH)
def test_a_move_that_is_illegal_in_a_model_is_worth_nothing_there(name):
    g = adapt(Locked(), "locked.py:Locked")
    truth, agent = g.start(), make_agent(name, g, 0, 1)
    agent.observe(truth.sees(truth.legal()[0], 0), "")
    truth.apply(truth.legal()[0])
    assert values(agent, truth) == pytest.approx({"pass": 0.6, "open": 0.5})


class Shut(Locked):
    """Go or stay first. Then pass for 0.3, or open for 1 at heads; at tails it can be broken for 0.

    A player who has seen nothing of the coin opens where it may, for half of 1, and breaks nothing.
    """

    def turn(self, s):
        return OVER if len(s) == 3 else (CHANCE, 0, 0)[len(s)]

    def legal(self, s):
        if len(s) == 1:
            return ["go", "stay"]
        return super().legal(s) if not s else ["pass", "open" if s[0] == "heads" else "break"]

    def payoff(self, s):
        return [{"pass": 0.3, "open": 1.0, "break": 0.0}[s[2]]]


@pytest.mark.parametrize("name", BOTH)
def test_what_may_be_played_is_told_apart_where_the_same_was_seen(name):
    g = adapt(Shut(), "shut.py:Shut")
    truth, agent = g.start(), make_agent(f"{name}:nested=20", g, 0, 1)
    agent.observe(truth.sees(truth.legal()[0], 0), "")
    truth.apply(truth.legal()[0])
    assert values(agent, truth) == pytest.approx({"go": 0.65, "stay": 0.65})


# --- options -------------------------------------------------------------------------------------


def test_discounting_counts_the_decisions_after_the_move():
    """What chance shows takes no time, as in a search; to blink does.

    A payoff goes towards the lowest, -1, as a scaled one goes to 0.
    """
    for kind, peek in ((Lamp, 8.0 * 0.9 - 1.0), (Blink, 8.0 * 0.9**2 - 1.0)):
        agent, truth = lamp("hyperplay-ii:models=30,nested=30,discount=0.9", kind=kind)
        assert values(agent, truth) == pytest.approx({"peek": peek, "pass": 7.0 * 0.9 - 1.0})


@pytest.mark.parametrize("counting", [False, True])
def test_random_games_of_nested_players_discount_for_decisions_alone(counting):
    """After a choice of door the host opens one, which takes no time, and there is one decision.

    `counting` joint moves goes through the rules one by one, and otherwise the game's rollout does.
    """
    truth = game(MONTY).start()
    truth.apply(truth.legal()[0])
    simulator = Simulator(truth.game, 0, NestedPlayers(discount=0.5), 1)
    if counting:
        simulator.count_joint()
    for _ in range(20):
        plies = play_out(simulator.address, truth.address, 0, truth.legal()[0])
        assert plies == 3
        assert simulator.value == simulator.payoff * 0.5
    assert simulator.played == 60


def test_cut_on_win_tries_no_further_move():
    """A nested player cuts too: after the first saying that always won."""
    agent, truth = lamp("hyperplay-ii:models=5,samples=4,cut=true,win=7")
    found = values(agent, truth)
    report = agent.search.report()
    assert found["peek"] == pytest.approx(7)
    assert [candidate.visits for candidate in report.candidates] == [5, 0]
    agent, truth = lamp("hyperplay-ii:models=5,samples=4,cut=true")  # 8: never always
    agent.choose(truth.view(0), truth.legal())
    assert [candidate.visits for candidate in agent.search.report().candidates] == [20, 20]


def test_pruning_on_depth_gives_up_what_goes_on_for_longer():
    """Passing wins with a decision to go; then peeking, if one has to blink, is given up.

    What chance shows does not make a game longer.
    """
    spec = "hyperplay-ii:models=30,nested=30,samples=2,prune=true"
    agent, truth = lamp(spec, kind=Blink)
    found = values(agent, truth)
    assert found["pass"] == pytest.approx(6.0)
    assert found["peek"] < 0
    assert values(*lamp(spec)) == pytest.approx({"peek": 7.0, "pass": 6.0})
    assert game(BOMB).bounds[0] == 0.0


WRONG = {
    "nested=0": "nested=0: at least 1 is wanted",
    "nested_samples=0": "nested_samples=0: at least 1 is wanted",
    "samples=0": "samples=0: at least 1 is wanted",
    "samples=2,iterations=5": "samples are for each model and move",
    "discount=0": "discount=0.0: more than 0",
    "threads=2": "has no option 'threads'",
}


@pytest.mark.parametrize("options", list(WRONG))
def test_wrong_options(options):
    with pytest.raises(SpecError, match=WRONG[options]):
        make_agent(f"hyperplay-ii:{options}", game("kuhn"), 0, 1)


# --- time ----------------------------------------------------------------------------------------


def halt(agent):
    """Stop an agent's search a little after it has begun."""
    while agent.search is None:
        time.sleep(0.01)
    time.sleep(0.1)
    agent.search.stop()


@pytest.mark.parametrize("name", BOTH)
def test_thinking_keeps_its_time_and_can_be_stopped(name):
    nested = "models=5,nested=50,nested_samples=1000000"  # a single simulation takes much longer
    agent, truth = told(KUHN, f"{name}:seconds=0.2,{nested}", 0, "deal Q", "deal K")
    assert agent.choose(truth.view(0), truth.legal()) in truth.legal()
    agent, truth = told(KUHN, f"{name}:seconds=100000,{nested}", 0, "deal Q", "deal K")
    timer = threading.Thread(target=halt, args=(agent,))
    timer.start()
    assert agent.choose(truth.view(0), truth.legal()) in truth.legal()
    timer.join()


def test_a_search_can_be_resumed():
    search = []
    for parts in ((30,), (7, 23)):
        agent, truth = lamp("hyperplay-ii:models=5,nested=3")
        search.append(agent.start_search(truth.view(0), truth.legal()))
        for part in parts:
            search[-1].run(type(agent.budget)(part))
    first, second = ([c.mean for c in one.report().candidates] for one in search)
    assert first == second


@pytest.mark.parametrize("name", BOTH)
def test_a_report_for_who_asks(name):
    agent, truth = told(KUHN, "so-ismcts", 0, "deal Q", "deal K")
    report = analyse(truth.view(0), f"{name}:iterations=50", observed=agent.beliefs[0].observed)
    assert report.iterations == 50
    assert report.plies > report.playout_plies > 0
    with pytest.raises(SpecError, match="`observed` is wanted"):
        analyse(truth.view(0), name)


# --- what is shared ------------------------------------------------------------------------------


def test_sharing_finds_the_same_at_less_than_a_tenth_of_the_states():
    states = []
    for name in BOTH:
        agent, truth = walked("exploding-bomb", name, 0, "(arm red)")
        assert truth.game.move_text(agent.choose(truth.view(0), truth.legal())) == "ask"
        states.append(agent.states)
    assert 10 * states[1] < states[0]


@pytest.mark.slow
def test_what_nested_players_found_serves_the_next_decision():
    """The second decision, after the same observations, finds most of what it needs there."""
    g, spec = game("leduc"), "hyperplay-ii-shared:iterations=1500,sure=1000"
    truth, first, fresh = g.start(), make_agent(spec, g, 0, 1), make_agent(spec, g, 0, 2)
    for text in ("deal Q", "deal K", "raise", "raise"):
        move = g.parse_move(text, truth.legal())
        if truth.turn() == 0:
            first.choose(truth.view(0), truth.legal())
        for agent in (first, fresh):
            if token := truth.sees(move, 0):
                agent.observe(token, "")
        truth.apply(move)
    assert first.shared.known > 128  # more than there is room for at first
    for agent in (first, fresh):
        agent.choose(truth.view(0), truth.legal())
    games = [agent.search.report().playout_plies for agent in (first, fresh)]
    assert 2 * games[0] < games[1]


# --- any game, any trouble -----------------------------------------------------------------------


@pytest.mark.parametrize("name", BOTH)
def test_it_plays_games_of_every_kind(name):
    short = f"{name}:models=4,nested=2,iterations=8,limit=500"
    for spec in ("kuhn", "liars-dice", "battleships-in-fog", f"{SUPPORT / 'tiny.py'}:Pennies"):
        result = run_match(spec, [short, "random"], games=2, seed=3)
        assert result.errors == 0
        assert all(found.forfeits == {} for found in result.agents)


class Faulty(Lamp):
    """Its rules fail when heads is said."""

    def apply(self, s, move):
        if move == "say heads":
            raise ZeroDivisionError("no lamp")
        return (*s, move)


class Endless(Lamp):
    """One may go on peeking."""

    most_plies = 30

    def turn(self, s):
        return CHANCE if not s else 0

    def legal(self, s):
        return super().legal(s) if not s else ["peek", "pass"]


@pytest.mark.parametrize(
    ("kind", "what"), [(Faulty, "no lamp"), (Endless, "did not end within 30 plies")]
)
def test_rules_that_fail_are_told_with_the_moves_that_led_there(kind, what):
    g = adapt(kind(), "lamp.py:Lamp")
    truth, agent = g.start(), make_agent("hyperplay-ii", g, 0, 1)
    agent.observe(truth.sees(truth.legal()[0], 0), "")
    truth.apply(truth.legal()[0])
    with pytest.raises(RuleError, match=what):
        agent.choose(truth.view(0), truth.legal())


@pytest.mark.parametrize("name", BOTH)
def test_a_deep_game_gets_the_room_that_it_needs(name, monkeypatch):
    """More plies than a path has room for at first: no move is made that is not counted.

    The values are as by hand, and what is made is as much as with room from the first.
    """
    made = []

    class Slow(Lamp):
        most_plies = 100

        def apply(self, s, move):
            made[-1] += 1
            return super().apply(s, move)

        def turn(self, s):
            return CHANCE if s and len(s) < 40 else super().turn((*s[:1], *s[40:]))

        def legal(self, s):
            return ["tick"] if s and len(s) < 40 else super().legal((*s[:1], *s[40:]))

        def sees(self, s, move, viewer):
            return move if s else "a coin"

        def payoff(self, s):
            return super().payoff((*s[:1], *s[40:]))

        def weights(self, s):
            return [3.0, 1.0] if not s else [1.0]

    g, states = adapt(Slow(), "lamp.py:Lamp"), []
    for depth in (16, 128):
        monkeypatch.setattr("facedown.belief.model.DEPTH", depth)
        made.append(0)
        truth, agent = g.start(), make_agent(f"{name}:models=8,nested=16", g, 0, 1)
        while truth.turn() == CHANCE:
            move = truth.legal()[0]
            agent.observe(truth.sees(move, 0), "")
            truth.apply(move)
        assert values(agent, truth) == pytest.approx({"peek": 7.0, "pass": 6.0})
        states.append(agent.states)
    assert made[0] == made[1]
    assert states[0] == states[1]
