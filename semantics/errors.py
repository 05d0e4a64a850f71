"""The few exceptions that bad input can raise; each message says where, what was expected, what is there."""


class SnapeqError(Exception):
    """Anything snapeq refuses; catch this one to catch them all."""


class SchemaError(SnapeqError):
    """A name is unknown, ambiguous or taken twice, or two schemas do not fit together."""


class TypeMismatch(SnapeqError):
    """A value or an expression has the wrong type; operands are the expressions to blame, if any."""

    def __init__(self, message: str, operands: tuple[object, ...] = ()) -> None:
        super().__init__(message)
        self.operands = operands


class WindowError(SnapeqError):
    """A window parameter makes no sense."""


class StreamError(SnapeqError):
    """A stream is unsorted, has an impossible time, or is missing where a plan needs it."""


class TooManyChanges(SnapeqError):
    """A result over sparse time changes more often than can be listed."""


class ArithmeticOverflow(SnapeqError):
    """A result does not fit into its type, such as an integer that needs more than 64 bits."""


class CastError(ArithmeticOverflow):
    """A value has no counterpart in the type that it is cast to."""


class FunctionError(SnapeqError):
    """A user-defined function or aggregate failed."""


class NotationError(SnapeqError):
    """A text cannot be read; the message shows the place."""


class Unsupported(SnapeqError):
    """The input is right, but this engine, installation or version cannot do it; the message says why."""
