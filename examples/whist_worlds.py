"""Short whist that draws its own worlds: carelessly, then soundly."""

from whist import Whist


class Careless(Whist):
    def determinize(self, s, viewer, stream):
        known = {s.turned, *s.played, *s.hands[0], *s.hands[1]}
        unseen = [card for card in self.deck if card not in known]
        stream.shuffle(unseen)
        for hand in s.hands:
            hand[:] = [unseen.pop() if card == "??" else card for card in hand]


class Sound(Careless):
    def determinize(self, s, viewer, stream):
        view, others = self.copy(s), {0, 1} - {viewer}
        while True:
            super().determinize(s, viewer, stream)
            if all(self.followed(s, player, stream) for player in others):
                return
            s.hands = self.copy(view).hands

    def followed(self, s, player, stream):
        """Whether this player, playing any legal card, would have followed suit as it did."""
        tricks, leader = [], 0
        for led, card in zip(s.played[::2], s.played[1::2], strict=False):
            tricks.append((leader, led, card))
            leader = 1 - leader if s.beats(card, led) else leader
        hand = s.hands[player] + ([s.led()] if s.led() and leader == player else [])
        for leader, led, card in reversed(tricks):  # the hand as it was then
            hand.append(led if leader == player else card)
            suited = sum(one[1] == led[1] for one in hand)
            if leader != player and suited and (card[1] != led[1] or stream.below(suited)):
                return False
        return True
