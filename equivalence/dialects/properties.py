"""The properties of a dialect that are asked for, in the order in which they are told."""

from typing import Final

from equivalence.deviations.deviation import Parameter
from equivalence.dialects import number_deviations as numbers
from equivalence.dialects import row_deviations as rows
from equivalence.dialects import session_deviations as sessions
from equivalence.dialects.property import Alternative, Property, of_catalogue, of_deviation, standard


def _property(name: str, sentence: str, *others: str | tuple[str, Parameter] | Alternative) -> Property:
    """The standard in a sentence, and the others: deviations of the catalogue by name, or of this room."""
    return Property(name, (standard(sentence), *map(_alternative, others)))


def _alternative(other: str | tuple[str, Parameter] | Alternative) -> Alternative:
    if isinstance(other, Alternative):
        return other
    return of_catalogue(other) if isinstance(other, str) else of_catalogue(*other)


WINDOWS: Final = (
    _property(
        "window bounds", "a row is in a RANGE window of n for n instants, from its own on",
        "window end inclusive", "window start exclusive", "window one instant too long", "never evicted",
    ),
    _property(
        "window slide", "a window with SLIDE moves at the multiples of the slide",
        "hop as tumble", "slide ignored",
    ),
    _property(
        "window origin", "windows with SLIDE are aligned with instant 0",
        *(("window aligned elsewhere", phase) for phase in (1, 2, 3)), of_deviation(rows.FROM_FIRST_ROW),
    ),
    _property(
        "rows of a window", "a window of ROWS n holds the last n rows",
        "one row too many", "one row too few", "rows never evicted",
    ),
    _property(
        "ties in ROWS windows", "of rows of one instant the greatest stay in a window of ROWS",
        "ties kept", of_deviation(rows.LATEST_STAYS, 1), of_deviation(rows.EARLIEST_STAYS, -1),
    ),
)  # fmt: skip
GROUPS: Final = (
    _property("NULL groups", "rows with NULL in a group column are a group of their own", "NULL groups dropped"),
    _property("expired groups", "a group without rows has no row", "ghost panes"),
    _property(
        "total of nothing", "an aggregate without GROUP BY has a row at every instant (COUNT 0)",
        "aggregation gap", of_deviation(rows.LATE_TOTALS),
    ),
    _property(
        "COUNT(x)", "COUNT(x) leaves out NULLs, COUNT(*) does not",
        "COUNT(*) for COUNT(x)", ("COUNT(x) for COUNT(*)", "x"),
    ),
    _property(
        "SUM and NULL", "SUM leaves out NULLs, and is NULL if nothing is left",
        "SUM of nothing is 0", "NULL poisons",
    ),
    _property("AVG", "AVG of integers is a float, and leaves out NULLs", "AVG by integer division", "AVG counts NULL"),
)  # fmt: skip
SETS: Final = (
    _property("NULL keys in joins", "NULL = NULL does not hold in joins", "NULL keys joined"),
    _property("NULL in anti-joins", "a row with an unknown partner has none (NOT EXISTS)", "NOT IN for NOT EXISTS"),
    _property("unknown conditions", "a row is filtered out if its condition is unknown", "unknown kept"),
    _property("union", "UNION ALL keeps all copies", ("bag collapsed to set", "Union")),
    _property(
        "difference", "EXCEPT ALL takes away as many copies as the right side has",
        "difference as anti-join", "difference of sets", "difference takes one",
    ),
    _property(
        "intersection", "INTERSECT ALL keeps as many copies as both sides have",
        "intersection as semi-join", "intersection of sets",
    ),
    _property("DISTINCT and NULL", "DISTINCT takes NULLs for equal", "NULLs kept apart", "duplicates kept"),
    _property("ties in LIMIT", "LIMIT n gives n rows, also if there are ties", "peers ranked alike"),
    _property(
        "order of NULLs", "NULL is less than every value in an order",
        "NULLs at the other end", of_deviation(rows.NULLS_FIRST), of_deviation(rows.NULLS_LAST),
    ),
)  # fmt: skip
VALUES: Final = (
    _property(
        "integer division", "the quotient of two integers is exact, a float",
        "integer division", of_deviation(numbers.FLOORED),
    ),
    _property("modulo of negatives", "MOD has the sign of the dividend", "MOD takes the divisor's sign"),
    _property("division by zero", "dividing by 0 is NULL", *map(of_deviation, numbers.BY_ZERO)),
    _property("integer overflow", "an integer that leaves 64 bits is an error", *map(of_deviation, numbers.PLUS)),
    _property("overflow of SUM", "a sum that leaves 64 bits is an error", *map(of_deviation, numbers.SUMS)),
    _property("NaN", "NaN = NaN holds", *map(of_deviation, numbers.NANS)),
    _property("DISTINCT and NaN", "DISTINCT takes NaNs for equal", of_deviation(numbers.NANS_APART)),
    _property("negative zero", "DISTINCT takes 0.0 and -0.0 for equal", of_deviation(numbers.ZEROS_APART)),
    _property("text equality", "texts that differ in case are different", "text compared without case"),
    _property("LIKE and case", "LIKE tells upper from lower case", of_deviation(rows.LIKE_ANY_CASE)),
    _property(
        "LIKE escape", "in LIKE without ESCAPE a backslash is a sign like any other",
        of_deviation(rows.LIKE_ESCAPES),
    ),
)  # fmt: skip

TIMES: Final = (
    _property(
        "end of streams", "a window goes on after the last row, as long as it holds rows",
        *map(of_deviation, sessions.ENDS),
    ),
    _property(
        "reports", "what has become certain is told, and nothing else, even before a window is over",
        *map(of_deviation, sessions.REPORTS),
    ),
    _property("late rows", "a row that comes too late is an error", *map(of_deviation, sessions.LATE_ROWS)),
    _property(
        "what is late", "a row is late if it is before a heartbeat, or by more than the slack before another row",
        *map(of_deviation, sessions.WATERMARKS),
    ),
)  # fmt: skip

PROPERTIES: Final[tuple[Property, ...]] = (*WINDOWS, *GROUPS, *VALUES, *SETS, *TIMES)
