"""Memory along the tree: memos begin as they are at the root and follow their owners' tokens."""

import itertools
import math
from dataclasses import replace

import pytest

from facedown.agents.registry import make_agent
from facedown.belief.hyperplay import Bag
from facedown.core import PUBLIC, Memo, Memos, Stream, derive
from facedown.core.plain import adapt
from facedown.games.registry import load_game
from facedown.search.budget import Budget
from facedown.search.recipe import Growth, Identity, Playout, Recipe, Worlds
from facedown.search.search import Search
from support import EXAMPLES
from support.naive import Naive
from support.plain_peek import PlainPeek
from support.table_games import same, tree

SPEC = f"{EXAMPLES / 'peek.py'}:Peek"
ROOTS = {
    "start": ("deal 2",),
    "asked": ("deal 2", "above 0?", "above 1?"),
    "other": ("deal 1", "above 0?", "above 0?", "above 1?"),
}


@pytest.fixture(scope="module", params=["compiled", "plain"])
def game(request):
    return load_game(SPEC) if request.param == "compiled" else adapt(PlainPeek(), "PlainPeek")


def told(game, moves, player):
    """The position after the moves, and what the player's agent would remember of them."""
    position, memos = game.start(), Memos(game, player)
    for move in moves:
        number = game.parse_move(move, position.legal())
        memos.observe(position.sees(number, player))
        memos.overhear(position.sees(number, PUBLIC))
        position.apply(number)
    return position, memos


def searched(game, root, recipe, iterations, seed=1):
    """A search with memos, and the naive one."""
    player = (len(ROOTS[root]) - 1) % 2
    truth, memos = told(game, ROOTS[root], player)
    view = truth.view(player)
    search = Search(game, recipe, view, player, truth.legal(), seed, memos=memos)
    naive = Naive(game, recipe, view, player, derive(seed, 0), memos=memos)
    return search.run(Budget(iterations)), naive.run(iterations)


def ruled_out(memo):
    record = memo.record
    if hasattr(record, "dtype"):
        return int(record["ruled_out"])
    return sum(1 << card for card in record or ())


def test_a_memo_follows_its_owners_tokens(game):
    _, memos = told(game, ("deal 2", "above 0?", "above 1?", "above 2?"), 0)
    assert ruled_out(memos.of(0)) == 0b1001  # above 0, not above 2
    assert ruled_out(memos.of(1)) == 0  # what the other was told is not for the public
    _, memos = told(game, ("deal 2", "above 0?", "above 1?", "above 2?"), 1)
    assert ruled_out(memos.of(1)) == 0b0011


def test_copies_share_nothing_and_nothing_is_remembered_of_nothing(game):
    _, memos = told(game, ("deal 2", "above 0?"), 0)
    memo = memos.of(0)
    other = memo.copy()
    assert other.digest() == memo.digest()
    position, again = told(game, ("deal 2", "above 0?", "above 0?"), 0)
    again.observe(0)
    assert again.of(0).digest() == memo.digest()
    other.remember(position.sees(game.parse_move("above 2?", position.legal()), 0), 0)
    assert (ruled_out(memo), ruled_out(other)) == (0b0001, 0b1001)


def test_worlds_and_priors_follow_the_memo(game):
    position, memos = told(game, ROOTS["other"], 1)
    assert ruled_out(memos.of(1)) == 0b0001
    drawn = set()
    for seed in range(40):
        world = position.view(1)
        world.determinize(1, Stream(seed), memo=memos.of(1))
        drawn.add(world.hidden_text(1))
    assert drawn == {f"the card is {card}" for card in (1, 2, 3)}
    legal = position.legal()
    shares = dict(zip(map(game.move_text, legal), position.prior(legal, memos.of(1)), strict=True))
    assert shares["guess 0"] == 0.01
    assert shares["guess 3"] == pytest.approx(4 / 3)
    assert position.bucket(1, memos.of(1)) != position.bucket(1)


BUCKETS = (Identity.BUCKET, Identity.OWN_BUCKET)


@pytest.mark.parametrize("root", ROOTS)
@pytest.mark.parametrize(("identity", "growth"), list(itertools.product(BUCKETS, Growth)))
def test_buckets_of_memos_are_the_oracles(game, identity, growth, root):
    recipe = Recipe(identity=identity, growth=growth)
    search, naive = searched(game, root, recipe, 300)
    same(tree(search), naive.dump())
    assert search.line()


@pytest.mark.parametrize("identity", list(Identity))
def test_priors_of_memos_are_the_oracles(game, identity):
    recipe = Recipe(identity=identity, bandit="puct", priors=True, growth=Growth.NODE, c=2.0)
    for root in ROOTS:
        search, naive = searched(game, root, recipe, 300)
        same(tree(search), naive.dump())


def test_worlds_drawn_before_the_search_follow_the_memo(game):
    recipe = Recipe(identity=Identity.FULL, worlds=Worlds.IN_TURN, samples=40)
    search, _ = searched(game, "other", replace(recipe, playout=Playout(depth=1)), 40)
    cards = {search.pool.position(k).hidden_text(1) for k in range(len(search.pool))}
    assert cards == {f"the card is {card}" for card in (1, 2, 3)}


@pytest.mark.parametrize(("identity", "nodes"), [(Identity.BUCKET, 2), (Identity.OWN_BUCKET, 7)])
def test_whose_bucket_a_node_is(game, identity, nodes):
    """After the searcher's question the other knows nothing new, the searcher one of six things."""
    recipe = Recipe(identity=identity, playout=Playout(depth=2))
    search, _ = searched(game, "start", recipe, 1000)
    assert search.report().nodes == nodes


def test_without_memos_a_search_begins_with_nothing():
    game = load_game(SPEC)
    truth, _ = told(game, ROOTS["asked"], 0)
    recipe = Recipe(identity=Identity.BUCKET)
    bare = Search(game, recipe, truth.view(0), 0, truth.legal(), 1).run(Budget(200))
    blank = Memos(game, 0)
    assert blank.of(0).digest() == Memo(game).digest()
    told_nothing = Search(game, recipe, truth.view(0), 0, truth.legal(), 1, memos=blank)
    assert tree(told_nothing.run(Budget(200))) == tree(bare)


def test_a_game_without_the_rule_has_memos_of_nothing():
    game = load_game("kuhn")
    memo = Memo(game)
    memo.remember(3, 0)
    assert (memo.address, memo.digest(), memo.record) == (0, b"", None)


def test_kinds(game):
    position = game.start()
    assert position.kinds() == [2]
    assert sorted(position.of_kind(2)) == sorted(position.legal())
    position, _ = told(game, ("deal 2",), 0)
    assert position.kinds() == [0, 1]
    asks, guesses = (list(map(game.move_text, position.of_kind(kind))) for kind in (0, 1))
    assert asks == ["above 0?", "above 1?", "above 2?"]
    assert guesses == [f"guess {card}" for card in range(4)]
    assert position.kind(position.of_kind(1)[2]) == 1


@pytest.mark.parametrize(
    "spec", ["so-ismcts:iterations=60", "mo-ismcts:iterations=60,bucket=true", "mt-ismcts"]
)
def test_agents_bring_their_memos(game, spec):
    """Asked twice, player 0 knows the card: above 1, not above 2."""
    agent = make_agent(spec, game, 0, seed=3)
    assert agent.remembers
    position = game.start()
    for text in ("deal 2", "above 1?", "above 0?", "above 2?", "above 0?"):
        move = game.parse_move(text, position.legal())
        agent.observe(position.sees(move, 0), "")
        agent.overhear(position.sees(move, PUBLIC))
        position.apply(move)
    assert ruled_out(agent.memos.of(0)) == 0b1011
    assert game.move_text(agent.choose(position.view(0), position.legal())) == "guess 2"


def test_models_follow_priors_by_what_each_player_remembers(game):
    """Player 1 has ruled nothing out, then guesses: by his memo each card is as likely.

    With what player 0 knows, above 1, a guess of 0 or 1 would all but never be made.
    """
    position, bag = game.start(), Bag(game, 0, 400, seed=5, priors=True, weigh="distinct")
    for text in ("deal 2", "above 1?", "above 0?"):
        move = game.parse_move(text, position.legal())
        bag.observe(position.sees(move, 0))
        position.apply(move)
    found = {
        game.move_text(history[0]): chance
        for history, chance in zip(bag.update().histories(), bag.chances(), strict=True)
    }
    assert set(found) == {"deal 2", "deal 3"}
    # asked or guessed: 3 questions weigh 1 each, 4 guesses 4 / 4 each, as nothing is ruled out
    assert found == pytest.approx(dict.fromkeys(found, math.log(1 / 4 * 1 / 7)))
    position.apply(game.parse_move("above 2?", position.legal()))


def test_a_memo_in_a_model_is_the_movers_own(game):
    """Player 1 is told himself: then his guesses go by it, in the models as in the truth."""
    position, bag = game.start(), Bag(game, 0, 400, seed=5, priors=True, weigh="distinct")
    moves = ("deal 2", "above 0?", "above 1?", "above 0?", "guess 2")
    for text in moves:
        move = game.parse_move(text, position.legal())
        bag.observe(position.sees(move, 0))
        position.apply(move)
    chances = {}
    for history, chance in zip(bag.update().histories(), bag.chances(), strict=True):
        chances[game.move_text(history[0])] = math.exp(chance)
    # told "above 1" he guesses 2 by 2 of 2 * 2 + 2 * 0.01 + 3; told "not above 1" by 0.01 of that
    total = 2 * 2 + 2 * 0.01 + 3
    wanted = {"deal 1": 0.01, "deal 2": 2.0, "deal 3": 2.0}
    assert chances == pytest.approx({k: 1 / 4 * 1 / 7 * v / total for k, v in wanted.items()})
