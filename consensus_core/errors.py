"""What goes wrong on purpose: sentences for people, not tracebacks."""


class InputError(ValueError):
    """Something a person gave cannot be used. The message is one sentence: where, what was expected, what to do."""


class TooLarge(InputError):
    """The work would not fit this machine. The message offers what would fit."""


class Cancelled(Exception):
    """Work was stopped on request; nothing is wrong."""


class AlreadyThere(InputError):
    """A file of that name exists, and is left as it is."""
