"""Functions that make times of other values, as casts: a TIMESTAMP counts microseconds since 1970 in UTC."""

from sqlglot import exp

from semantics.sql.dialects.nodes import as_type
from semantics.sql.dialects.refusals import Refused
from semantics.sql.dialects.window_calls import name_of

SECOND = 1_000_000
TIME_CALLS = (
    "TO_TIMESTAMP",
    "TO_TIMESTAMP_LTZ",
    "TIMESTAMP_MILLIS",
    "TIMESTAMP_SECONDS",
    "TIMESTAMP_MICROS",
    "FROM_UNIXTIME",
)
SCALES = {0: SECOND, 3: 1000, 6: 1}


def time_call(node: exp.Expr) -> exp.Expr:
    """The call as a cast, if it is one of these; else as it is."""
    arguments = node.expressions if isinstance(node, exp.Anonymous) else []
    match name_of(node), arguments:
        case "TO_TIMESTAMP", [exp.Anonymous() as inner] if (
            name_of(inner) == "FROM_UNIXTIME" and len(inner.expressions) == 1
        ):
            return _counted(inner.expressions[0], SECOND)
        case "TO_TIMESTAMP", [text]:
            return as_type(text, "TIMESTAMP")
        case "TO_TIMESTAMP_LTZ", [number]:
            return _counted(number, 1000)
        case "TO_TIMESTAMP_LTZ", [number, exp.Literal() as precision] if precision.is_int:
            if int(precision.name) not in SCALES:
                raise Refused(f"TO_TIMESTAMP_LTZ with precision {precision.name}", "0, 3 and 6 are read")
            return _counted(number, SCALES[int(precision.name)])
        case "TIMESTAMP_MILLIS", [number]:
            return _counted(number, 1000)
        case "TIMESTAMP_SECONDS", [number]:
            return _counted(number, SECOND)
        case "TIMESTAMP_MICROS", [number]:
            return _counted(number, 1)
        case "FROM_UNIXTIME", [number]:
            return as_type(_counted(number, SECOND), "TEXT")
        case _:
            return node


def _counted(number: exp.Expr, micros: int) -> exp.Expr:
    scaled = number if micros == 1 else exp.Mul(this=exp.paren(number), expression=exp.Literal.number(micros))
    return as_type(scaled, "TIMESTAMP")
