"""The rules of Settlers, with policies that are compiled when somebody first asks for them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from facedown.core import CompiledGame
from facedown.core.compiled import CompiledRules
from facedown.core.records import address_of, lined_up
from facedown.core.rules import RULES
from facedown.core.streams import Stream
from facedown.games.settlers import moves as m
from facedown.games.settlers import state as st

SCRIPTED = "playout:scripted"
_PLAIN = (m.END, m.ROLL, m.REJECT, m.CANCEL)  # where nothing better may be done


class _Late(dict[str, int]):
    """Addresses of variants, some of which are made when they are first asked for."""

    def __init__(self, makers: dict[str, Callable[[], int]]) -> None:
        super().__init__(dict.fromkeys(makers, 0))
        self._makers = makers

    def get(self, key: str, default: Any = None) -> Any:
        """The address of a variant, `default` where there is none such."""
        if key in self._makers and not self[key]:
            self[key] = self._makers[key]()
        return super().get(key, default)


class SettlersRules(CompiledRules):
    """The compiled rules, and the scripted player: a variant of `playout`."""

    def __init__(self, definition: CompiledGame) -> None:
        super().__init__(definition)
        self._state = definition.State
        self.variants = _Late({SCRIPTED: self._compile})

    def _compile(self) -> int:
        from facedown.games.settlers.scripted.policy import scripted

        return self._add(SCRIPTED, RULES["playout"], scripted)

    def scripted_move(self, view: Any, legal: Sequence[int], stream: Stream) -> int:
        """The scripted player's move on a view, one of `legal`, which may lack some."""
        self.variants.get(SCRIPTED)
        block = lined_up(1, self._state)
        block[0] = view
        if view["phase"] == st.ACTING and not any(_is_offer(move) for move in legal):
            block[0]["offers"] = st.TABLE_LIMIT
        move = int(self.python[SCRIPTED](self.ctx, address_of(block), stream.address))
        if move in legal:
            return move
        return next((plain for plain in _PLAIN if plain in legal), legal[0])


def _is_offer(move: int) -> bool:
    return move == m.COMPOSE or m.TRADE <= move < m.LAY
