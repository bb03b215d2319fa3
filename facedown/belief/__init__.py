"""Beliefs: where worlds come from when not every one is as likely. They know no game."""
