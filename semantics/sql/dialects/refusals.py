"""What is refused by name: a construct that has no meaning by event time, or one that this language lacks."""

from semantics.sql.errors import SqlError


class Refused(SqlError):
    """A construct that was understood and is not translated; `construct` names it, `reason` says why."""

    def __init__(self, construct: str, reason: str, offset: int = 0, text: str = "") -> None:
        self.construct, self.reason = construct, reason
        super().__init__(f"{construct} is refused: {reason}", "a query without it", offset, text)

    def within(self, text: str) -> "Refused":
        return type(self)(self.construct, self.reason, self.offset, text)


class NotByEventTime(Refused):
    """A construct whose answer depends on when rows happen to be processed, so that no answer is the right one."""


def of_column(name: str, reason: str, offset: int = 0) -> Refused:
    """What is said of a column that has no value here, where a query asks for it."""
    kind = NotByEventTime if reason == PROCESSING_TIME else Refused
    return kind(f"the column {name}", reason, offset)


PROCESSING_TIME = "processing time is when a row happens to be seen, so the data does not determine the answer"
UNKNOWN_FUNCTION = "what it computes is not known here; --functions MODULE can define it"
ARRIVAL = "it means the order of arrival, which the data does not say"
LOOKUP_JOIN = "a lookup join asks another system when the row is processed, so the data does not determine the answer"
FIXED_POINTS = "the algebra has no fixed points"
PATTERNS = "patterns over the order of rows are no operators of the snapshot algebra"
