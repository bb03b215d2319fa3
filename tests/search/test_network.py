"""Networks over the traits of moves: their files, compiled scores, priors in the tree."""

import json
import math
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from facedown.core import SpecError, Traits, derive
from facedown.core.plain import adapt
from facedown.games.registry import load_game
from facedown.search.budget import Budget
from facedown.search.network import Network, Scorer, load_network, network_of
from facedown.search.recipe import Growth, Identity, Recipe
from facedown.search.scored import Weights, score_all
from facedown.search.search import Search
from support import EXAMPLES
from support.naive import Naive
from support.plain_peek import PlainPeek
from support.table_games import same, tree

SPEC = f"{EXAMPLES / 'peek.py'}:Peek"
TRAITS = Traits(("turns", "cards left"), ("guess", "card", "ruled out"))


def made(widths=(5, 4, 1), seed=1, game="Peek", traits=TRAITS, size=1.0):
    random = np.random.default_rng(seed)
    pairs = pairwise(widths)
    layers = tuple((random.normal(0, size, (n, m)), random.normal(0, size, m)) for n, m in pairs)
    return Network(game, traits, layers, {"from": "a test"})


@pytest.fixture(params=["compiled", "plain"])
def game(request):
    return load_game(SPEC) if request.param == "compiled" else adapt(PlainPeek(), "Peek")


@pytest.fixture
def file(tmp_path):
    (tmp_path / "network.json").write_text(made().packed())
    return str(tmp_path / "network.json")


def scored(network, position, moves):
    """What compiled code makes of these traits."""
    scorer = Scorer(network, len(moves))
    scorer.traits[:] = np.concatenate([position, *moves])
    score_all(scorer.address, len(moves))
    return scorer.traits[: len(moves)].copy()


# --- scores ---------------------------------------------------------------------------------------


@settings(deadline=None, max_examples=40)
@given(
    st.lists(st.integers(1, 9), max_size=3),
    st.integers(1, 12),
    st.integers(0, 1000),
)
def test_compiled_scores_are_those_of_numpy(hidden, moves, seed):
    network, random = made((5, *hidden, 1), seed), np.random.default_rng(seed)
    position, rows = random.normal(size=2), random.normal(size=(moves, 3)).round(0)
    wanted = network.scores(position, rows)
    assert scored(network, position, rows) == pytest.approx(wanted, rel=1e-12, abs=1e-12)


def test_scores_by_hand():
    layers = (
        (np.array([[1.0, 0], [0, 1], [2, 0], [0, 0], [0, -3]]), np.array([0.5, 0.0])),
        (np.array([[1.0], [10]]), np.array([-1.0])),
    )
    network = Network("Peek", TRAITS, layers, {})
    # first: 1 + 2 * 1 + 0.5 = 3.5 and 2 - 3 < 0; second: 1.5 and 2
    rows = [[1.0, 7.0, 1.0], [0.0, 7.0, 0.0]]
    assert network.scores([1.0, 2.0], rows).tolist() == [3.5 - 1, 1.5 + 20 - 1]
    assert scored(network, [1.0, 2.0], rows).tolist() == [2.5, 20.5]


# --- priors ---------------------------------------------------------------------------------------


def searched(game, recipe, iterations=300, seed=3):
    position = game.start()
    position.apply(game.parse_move("deal 2", position.legal()))
    root = position.view(0)
    search = Search(game, recipe, root, 0, position.legal(), seed).run(Budget(iterations))
    naive = Naive(game, recipe.in_game(game), root, 0, derive(seed, 0)).run(iterations)
    return search, naive


@pytest.mark.parametrize("mu", [True, False])
@pytest.mark.parametrize("identity", list(Identity))
def test_priors_are_the_oracles(game, file, identity, mu):
    recipe = Recipe(
        identity=identity,
        bandit="puct",
        c=2.0,
        growth=Growth.NODE,
        network=file,
        mu=mu,
        temperature=2.0,
    )
    search, naive = searched(game, recipe)
    same(tree(search), naive.dump())


def test_a_hotter_softmax_prunes_less(game, file):
    def share(temperature):
        recipe = Recipe(bandit="puct", growth=Growth.NODE, network=file, temperature=temperature)
        visits = [c.visits for c in searched(game, recipe)[0].report().candidates]
        return max(visits) / sum(visits)

    assert share(0.1) > share(10.0)


def test_scores_beyond_all_reason_are_kept_within_bounds(game, tmp_path):
    wild = made(size=50_000.0)
    (tmp_path / "wild.json").write_text(wild.packed())
    recipe = Recipe(bandit="puct", growth=Growth.NODE, network=str(tmp_path / "wild.json"))
    report = searched(game, recipe, 100)[0].report()
    assert all(math.isfinite(one.mean) for one in report.candidates)


def test_the_table_of_weights_grows_and_stops_at_the_limit(file):
    game = load_game(SPEC)
    recipe = Recipe(Identity.MULTI, bandit="puct", growth=Growth.NODE, network=file)
    position = game.start()
    position.apply(position.legal()[2])
    trees = []
    for limit in (1 << 30, 0):
        search = Search(game, recipe, position.view(0), 0, position.legal(), 3)
        thread = search.threads[0]
        weights = thread.weights = Weights(thread.state, limit, slots=32)
        search.run(Budget(500))
        trees.append(tree(search))
        assert (len(weights.table) > 32) == (limit > 0)
    assert trees[0] == trees[1]  # what is not kept is scored again


# --- files ----------------------------------------------------------------------------------------


def test_a_file_has_all_of_it(file):
    network, again = made(), load_network(file)
    assert (again.game, again.traits, again.about) == (network.game, network.traits, network.about)
    for (a, b), (c, d) in zip(network.layers, again.layers, strict=True):
        assert a == pytest.approx(c, rel=1e-5)
        assert b == pytest.approx(d, rel=1e-5)


PLAIN = json.loads(made().packed())
LAYER = PLAIN["layers"][0]


def changed(**more):
    return json.dumps({**PLAIN, **more})


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("", "is not JSON"),
        ("[" * 100_000, "is not JSON"),
        ("[]", "its format is not"),
        (changed(format="facedown network 2"), "its format is not"),
        (changed(layers=[]), "a network of 0 layers"),
        (changed(layers=[LAYER] * 9), "a network of 9 layers"),
        (changed(layers=[LAYER, LAYER]), "layer 2 is"),
        (changed(layers=[LAYER]), "layer 1 is"),
        (changed(layers=[{"weights": [[1, 2], [3]], "offsets": [1]}]), "holds no network"),
        (changed(layers=[{"weights": [[True]] * 5, "offsets": [1]}]), "True is no number"),
        (changed(layers=[{"weights": [["1"]] * 5, "offsets": [1]}]), "'1' is no number"),
        (changed(layers=[{"weights": [[1e7]] * 5, "offsets": [1]}]), "that no network has"),
        (changed(layers=[{"weights": [[math.nan]] * 5, "offsets": [1]}]), "nan is no number"),
        (changed(layers=[{"weights": [[[1]]] * 5, "offsets": [1]}]), "no number of a layer"),
        (changed(layers=[{"weights": [[1]] * 5}]), "'offsets' is missing"),
        (changed(layers=7), "holds no network"),
        (changed(about=1), "holds no network"),
        (changed(move=["a"]), "layer 1 is"),
    ],
)
def test_files_that_hold_no_network_are_told(tmp_path, content, said):
    file = tmp_path / "network.json"
    file.write_text(content)
    with pytest.raises(SpecError, match=said):
        load_network(file)


def test_what_cannot_be_used_is_told_before_anything_is_played(tmp_path, file):
    peek, kuhn = load_game(SPEC), load_game("kuhn")
    with pytest.raises(SpecError, match="kuhn has no rule 'traits'"):
        network_of(kuhn, file)
    with pytest.raises(SpecError, match="no network comes with Peek: network=FILE is wanted"):
        network_of(peek, None)
    with pytest.raises(SpecError, match="cannot be read"):
        network_of(peek, str(tmp_path / "none.json"))
    other = tmp_path / "other.json"
    other.write_text(made(game="poker").packed())
    with pytest.raises(SpecError, match="is a network of poker; one of Peek is wanted"):
        network_of(peek, str(other))
    other.write_text(made(traits=Traits(("a", "b"), ("c", "d", "e"))).packed())
    with pytest.raises(SpecError, match="other traits than Peek tells now: train it again"):
        network_of(peek, str(other))
    (tmp_path / "binary").write_bytes(b"\xff\x00")
    with pytest.raises(SpecError, match="it is not text"):
        load_network(tmp_path / "binary")
