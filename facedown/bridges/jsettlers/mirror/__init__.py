"""The mirror of one game: a table kept up to date by every message of the server.

Where the rules foretell what a message says (production, hands, totals, rates of the bank, points)
the two are compared: `checked` counts, `differences` says what did not agree. The server is right.
"""

from __future__ import annotations

from facedown.bridges.jsettlers import messages as say
from facedown.bridges.jsettlers.fields import Message
from facedown.bridges.jsettlers.mirror import cards, hands, pieces, trades, turns
from facedown.bridges.jsettlers.mirror.ledger import Handlers, Ledger

_HANDLERS: Handlers = {
    **turns.HANDLERS,
    **hands.HANDLERS,
    **pieces.HANDLERS,
    **cards.HANDLERS,
    **trades.HANDLERS,
}
_IN_TURN = {
    *(say.Dice, say.PutPiece, say.CardAction, say.Picked, say.MoveRobber),
    *(say.BankTraded, say.Offer, say.Turn),
}


class Mirror(Ledger):
    """Keeps the table of seat `me`. Nothing that a server says makes it raise."""

    def take(self, message: Message) -> None:
        """Take in what the server says."""
        handle = _HANDLERS.get(type(message))
        if handle is not None:
            if type(message) in _IN_TURN:
                self.not_won()
            handle(self, message)
