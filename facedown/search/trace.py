"""Following a tree from Python: the keys of the nodes along a line of play."""

from __future__ import annotations

from collections.abc import Sequence

from facedown.core import CHANCE, OVER, Game, Memos, Position
from facedown.core.streams import mixed, tagged
from facedown.search.recipe import BUCKETS, Identity, Labels, Recipe
from facedown.search.tables import Tables


class Trace:
    """A world and everyone's history in it, as the search would hold them.

    The same rules of identity as the kernel's, move by move, for reading a tree.
    """

    def __init__(
        self,
        game: Game,
        recipe: Recipe,
        world: Position,
        player: int,
        label: int = 0,
        memos: Memos | None = None,
        starts: Sequence[int] = (),
    ) -> None:
        self.game, self.recipe, self.world = game, recipe, world
        self.player, self.label, self.first = player, label, True
        first = starts or range(1, game.players + 1)
        self.histories = [self._begin(p, first[p]) for p in range(game.players)]
        known = memos or Memos(game, player)
        self.memos = [known.of(p).copy() for p in range(game.players)]

    def _begin(self, player: int, history: int) -> int:
        if self.recipe.identity is Identity.MANY:
            history = mixed(history, self.world.infoset(player))
        if self.recipe.labels is Labels.TREE:
            history = mixed(history, self.label)
        return history

    def key(self, player: int) -> int:
        """The key of the node at which `player` acts now."""
        identity = self.recipe.identity
        if identity in BUCKETS:
            variant = self.recipe.variants.get("bucket")
            apart = self.label if self.recipe.labels is Labels.TREE else 0
            viewer = self.player if identity is Identity.OWN_BUCKET else player
            key = mixed(self.world.bucket(viewer, self.memos[viewer], variant), apart)
        elif identity is Identity.FULL:
            key = self.histories[0]
        elif identity is Identity.SINGLE:
            key = self.histories[self.player]
        else:
            key = self.histories[player]
        key = tagged(key, player + 1)
        if self.first and player == self.player and self.recipe.labels is Labels.ROOT:
            key = mixed(key, self.label)
        return key

    def play(self, move: int) -> None:
        """Play a move in the world, as everyone sees it."""
        if self.world.turn() == self.player:
            self.first = False
        if self.recipe.identity is Identity.FULL:
            self.histories[0] = mixed(self.histories[0], move + 1)
        else:
            for p in range(self.game.players):
                token = self.world.sees(move, p)
                if token:
                    self.histories[p] = mixed(self.histories[p], token)
                    self.memos[p].remember(token, p)
        self.world.play(move)

    def strategy(self, tables: Tables, player: int) -> dict[int, float]:
        """The average strategy at the node of `player` here: visits over what is legal, as shares.

        Outcome sampling keeps it apart from visits. Uniform where the tree has nothing to say.
        """
        legal, node = self.world.legal(), tables.node(self.key(player))
        kept = "visits" if self.recipe.outcome is None else "squares"
        sums = dict.fromkeys(legal, 0.0)
        for edge in tables.edges_of(node) if node is not None else ():
            if int(edge["move"]) in sums:
                sums[int(edge["move"])] = float(edge[kept])
        total = sum(sums.values())
        return {move: n / total if total else 1 / len(legal) for move, n in sums.items()}

    def principal(self, tables: Tables, most: int) -> tuple[str, ...]:
        """The most visited moves from here on, as text; chance plays its likeliest outcome."""
        line: list[str] = []
        while len(line) < most and (turn := self.world.turn()) != OVER:
            if turn == CHANCE:
                legal, weights = self.world.legal(), self.world.weights()
                move = legal[weights.index(max(weights))]  # the first: numbers may tell a history
            else:
                if tables.node(self.key(turn)) is None:
                    break
                shares = self.strategy(tables, turn)
                move = max(shares, key=lambda move: shares[move])
            line.append(self.game.move_text(move))
            self.play(move)
        return tuple(line)
