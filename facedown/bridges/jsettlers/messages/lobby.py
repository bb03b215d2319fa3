"""Coming and going: logging in, games, seats."""

from __future__ import annotations

from facedown.bridges.jsettlers.fields import Flag, Message, Name, Seat, Whole, Words
from facedown.bridges.jsettlers.messages.registry import FROM_ROBOT, FROM_SERVER, kind


@kind(9998, FROM_SERVER, FROM_ROBOT)
class Version(Message):
    """Who one is: 2700 is 2.7.00."""

    version: Whole
    text: Name
    build: Name = ""
    features: Name = ""


@kind(1022, FROM_ROBOT)
class Login(Message):
    """A robot says its name, the server's cookie, and of what class it is."""

    name: Name
    cookie: Name
    brain: Name


@kind(1071, FROM_SERVER)
class LoggedIn(Message):
    """How built-in robots are to play; that it comes at all says that one is logged in."""

    rest: Words = ()


@kind(1059, FROM_SERVER)
class Refused(Message):
    """The server does not let one in, and why; it closes the connection."""

    words: Words = ()


@kind(1069, FROM_SERVER)
class Status(Message):
    """A text, or a number and a text."""

    words: Words = ()


@kind(9999, FROM_SERVER, FROM_ROBOT)
class Ping(Message):
    """To be sent back as it is."""

    milliseconds: Whole = 0


@kind(1023, FROM_SERVER)
class JoinRequest(Message):
    """The server asks a robot to sit down in a game."""

    game: Name
    seat: Seat
    options: Words = ()


@kind(1013, FROM_ROBOT)
class Join(Message):
    """One comes into a game."""

    name: Name
    password: Name
    host: Name
    game: Name


@kind(1021, FROM_SERVER)
class Joined(Message):
    """One is in the game, and may sit down."""

    game: Name


@kind(1012, FROM_SERVER, FROM_ROBOT)
class SitDown(Message):
    """Somebody sits down."""

    game: Name
    name: Name
    seat: Seat
    robot: Flag


@kind(1011, FROM_SERVER, FROM_ROBOT)
class Leave(Message):
    """Somebody leaves a game."""

    name: Name
    host: Name
    game: Name


@kind(1056, FROM_SERVER)
class Dismissed(Message):
    """A robot is to leave."""

    game: Name


@kind(1015, FROM_SERVER)
class GameGone(Message):
    """There is no such game any more."""

    game: Name


@kind(1074, FROM_SERVER)
class BoardReset(Message):
    """The game begins anew; robots are asked again."""

    game: Name
