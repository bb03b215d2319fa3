"""The commands, one file each or a few; every heavy import happens inside a command."""


class InterruptedRunError(Exception):
    """Ctrl-C has ended a command that showed what it had got by then; says how far it came."""
