"""Short whist for two. Of sixteen cards each player is dealt five; the next is turned up, its suit
is trumps, and five stay face down. Follow suit if you can. The higher trump takes the trick, else
the higher card of the suit led; whoever takes it leads to the next. A trick is a point."""

from facedown import CHANCE, OVER

RANKS = "JQKA"


class Table:
    def __init__(self, hands=((), ()), turned="", played=(), leader=0, tricks=(0, 0)):
        self.hands = [list(hand) for hand in hands]
        self.turned = turned  # the card that says what is trumps
        self.played = list(played)  # all cards, in order
        self.leader = leader
        self.tricks = list(tricks)

    def dealt(self):
        return len(self.hands[0]) + len(self.hands[1])

    def led(self):
        """The card to follow, or nothing."""
        return self.played[-1] if len(self.played) % 2 else ""

    def beats(self, card, led):
        if card[1] == led[1]:
            return RANKS.index(card[0]) > RANKS.index(led[0])
        return card[1] == self.turned[1]


class Whist:
    players = 2

    def __init__(self, ranks: str = "JQKA", suits: str = "cdhs", hand: int = 5):
        self.deck = [rank + suit for suit in suits for rank in ranks]
        self.size, self.bounds = hand, (-hand, hand)
        self.moves = self.most_moves = len(self.deck)  # different cards; legal at once
        self.most_plies = 4 * hand + 1  # how long a game gets

    def start(self):
        return Table()  # nothing is dealt: dealing is what chance does

    def turn(self, s):
        if not s.turned:
            return CHANCE
        return OVER if sum(s.tricks) == self.size else s.leader ^ bool(s.led())

    def legal(self, s):
        if not s.turned:
            return [card for card in self.deck if card not in s.hands[0] + s.hands[1]]
        hand, led = s.hands[self.turn(s)], s.led()
        return [card for card in hand if led and card[1] == led[1]] or list(hand)

    def apply(self, s, card):
        if s.turned:
            self.play(s, self.turn(s), card)
        elif s.dealt() < 2 * self.size:
            s.hands[s.dealt() % 2].append(card)
        else:
            s.turned = card

    def play(self, s, player, card):
        if led := s.led():
            s.leader = player if s.beats(card, led) else s.leader
            s.tricks[s.leader] += 1
        s.played.append(card)
        s.hands[player].remove(card if card in s.hands[player] else "??")

    def sees(self, s, card, viewer):
        dealing = not s.turned and s.dealt() < 2 * self.size
        return "a card is dealt" if dealing and viewer != s.dealt() % 2 else card

    def payoff(self, s):
        return s.tricks[0] - s.tricks[1], s.tricks[1] - s.tricks[0]

    def hide(self, s, viewer):
        for player in {0, 1} - {viewer}:
            s.hands[player] = ["??"] * len(s.hands[player])

    def infoset(self, s, viewer):
        known = s.hands[viewer] if viewer in (0, 1) else ()
        return (*known, "|", s.dealt(), s.turned, *s.played)

    def copy(self, s):
        return Table(s.hands, s.turned, s.played, s.leader, s.tricks)

    def view_text(self, s, viewer):
        hands = "\n".join(f"player {p}: {' '.join(s.hands[p])}" for p in (0, 1))
        return f"turned up: {s.turned}; tricks {s.tricks}\n{hands}\non the table: {s.led()}"

    def hidden_facts(self, s, viewer):
        return [f"player {p} holds {card}" for p in {0, 1} - {viewer} for card in s.hands[p]]
