"""Runs whose seed nobody gave: it is drawn, kept, and taken again by the same command."""

from facedown.store.store import MEMORY, Store


def test_a_seed_is_drawn_once_and_goes_on_with_its_run():
    settings = {"game": "kuhn", "games": 20}
    with Store(MEMORY) as store:
        drawn = store.seed_for("tune", settings, None)
        assert drawn != store.seed_for("tune", settings, None)  # nothing was begun with it
        store.begin_run("tune", "kuhn", {**settings, "seed": drawn}, drawn)
        assert store.seed_for("tune", settings, None) == drawn
        assert store.seed_for("tune", {**settings, "seed": 7}, None) == drawn
        assert store.seed_for("tune", settings, 5) == 5
        others = [("playtest", settings), ("tune", {**settings, "games": 21})]
        assert all(store.seed_for(kind, other, None) != drawn for kind, other in others)


def test_the_last_run_of_the_same_settings_goes_on():
    with Store(MEMORY) as store:
        for seed in (3, 1 << 63):
            store.begin_run("calibrate", "kuhn", {"games": 2, "seed": seed}, seed)
        assert store.seed_for("calibrate", {"games": 2}, None) == 1 << 63
