"""The probes: some decide several properties at once, others one, for engines that know few operators.

Streams are given by intervals wherever a window would only bring further questions with it. Sessions are for what whole
streams cannot show: rows that come late, and when results are told.
"""

from typing import Final

from equivalence.dialects.probe import Probe
from equivalence.dialects.session_probe import SessionProbe
from equivalence.dialects.stream_probe import StreamProbe

_NULLS: Final = (
    "interval(k int, x int): (null, 4)@[2, 6) (1, null)@[2, 6) (1, 2)@[2, 6) (1, 3)@[2, 6) (2, null)@[2, 6) "
    "(3, 1)@[2, 6) (3, 2)@[2, 6)"
)
_VALUES: Final = "interval(x int): (null)@[2, 9) (1)@[4, 6) (2)@[4, 6)"
_COPIES: Final = "interval(x int): (1)@[2, 6) (1)@[2, 6) (1)@[2, 6) (2)@[2, 6) (2)@[2, 6) (3)@[2, 6) (3)@[2, 6)"
_FEWER: Final = "interval(x int): (1)@[2, 6) (1)@[2, 6) (2)@[2, 6)"
_LEFT: Final = "interval(a int): (null)@[2, 6) (1)@[2, 6) (2)@[2, 6)"
_RIGHT: Final = "interval(b int): (null)@[2, 4) (1)@[2, 6)"
_ORDERED: Final = "interval(x int): (null)@[2, 6) (1)@[2, 6) (2)@[2, 6)"
_TIED: Final = "interval(x int, y int): (1, 1)@[2, 6) (2, 1)@[2, 6) (2, 2)@[2, 6)"
_LARGE: Final = "interval(a int, b int): (9223372036854775807, 1)@[2, 6)"
_NAN: Final = "interval(x float, y float): (nan, nan)@[2, 6) (nan, nan)@[2, 6)"

OVER_STREAMS: Final[tuple[Probe, ...]] = (
    StreamProbe("S(x int) | window(range 5)", {"S": "raw(x int): (1)@6 (2)@14"}),
    StreamProbe("S(x int) | window(range 8)", {"S": "raw(x int): (1)@2 (2)@5"}),
    StreamProbe("S(x int) | window(range 8) | group(x; count(*) as n)", {"S": "raw(x int): (1)@2 (2)@5"}),
    StreamProbe("S(x int) | window(range 8 slide 4)", {"S": "raw(x int): (1)@5 (2)@18"}),
    StreamProbe("S(x int) | window(range 8 slide 4)", {"S": "raw(x int): (1)@6 (2)@19"}),
    StreamProbe("S(x int) | window(rows 2)", {"S": "raw(x int): (1)@1 (2)@3 (3)@5 (4)@7"}),
    StreamProbe("S(x int) | window(rows 2)", {"S": "raw(x int): (2)@1 (5)@1 (1)@1 (4)@1 (3)@1"}),
    StreamProbe("S(k int) | window(range 3) | group(k; count(*) as n)", {"S": "raw(k int): (1)@2 (2)@9"}),
    StreamProbe("S(k int, x int) | group(k; count(*) as n, count(x) as c, sum(x) as s, avg(x) as a)", {"S": _NULLS}),
    StreamProbe("S(k int) | group(k; count(*) as n)", {"S": "interval(k int): (null)@[2, 6) (1)@[2, 6)"}),
    StreamProbe("S(x int) | aggregate(count(*) as n, count(x) as c)", {"S": _VALUES}),
    StreamProbe("S(x int) | aggregate(sum(x) as s)", {"S": _VALUES}),
    StreamProbe("S(x int) | aggregate(avg(x) as a)", {"S": _VALUES}),
    StreamProbe("S(x int) | total(count(*) as n)", {"S": "interval(x int): (1)@[4, 6) (2)@[9, 11)"}),
    StreamProbe("join(L(a int), R(b int); a = b)", {"L": _LEFT, "R": _RIGHT}),
    StreamProbe("antijoin(L(a int), R(b int); a = b)", {"L": _LEFT, "R": _RIGHT}),
    StreamProbe("S(x int) | filter(x > 1)", {"S": _ORDERED}),
    StreamProbe("union(S(x int), T(x int))", {"S": _FEWER, "T": _FEWER}),
    StreamProbe("difference(S(x int), T(x int))", {"S": _COPIES, "T": _FEWER}),
    StreamProbe("intersection(S(x int), T(x int))", {"S": _COPIES, "T": _FEWER}),
    StreamProbe("S(x int) | distinct", {"S": "interval(x int): (null)@[2, 6) (null)@[2, 6) (1)@[2, 6) (1)@[2, 6)"}),
    StreamProbe(
        "S(x int, y int) | limit(2; x)", {"S": "interval(x int, y int): (1, 1)@[2, 6) (2, 1)@[2, 6) (2, 2)@[2, 6)"}
    ),
    StreamProbe("S(x int) | limit(1; x)", {"S": _ORDERED}),
    StreamProbe("S(x int) | limit(1; x desc)", {"S": _ORDERED}),
    StreamProbe("S(x int) | map(x as x, x / 2 as q, x mod 3 as m)", {"S": "interval(x int): (-7)@[2, 6) (7)@[2, 6)"}),
    StreamProbe("S(x int) | map(x as x, x / 2 as q)", {"S": "interval(x int): (-7)@[2, 6) (7)@[2, 6)"}),
    StreamProbe("S(x int) | map(x as x, x mod 3 as m)", {"S": "interval(x int): (-7)@[2, 6) (7)@[2, 6)"}),
    StreamProbe(
        "S(x float, y float) | map(x / y as q)",
        {"S": "interval(x float, y float): (1.0, 0.0)@[2, 6)"},
        {"S": "interval(x float, y float): (1.0, 2.0)@[2, 6)"},
    ),
    StreamProbe(
        "S(a int, b int) | map(a + b > 0 as positive)", {"S": _LARGE}, {"S": "interval(a int, b int): (1, 1)@[2, 6)"}
    ),
    StreamProbe(
        "S(x int) | aggregate(sum(x) as s) | map(s > 0 as positive)",
        {"S": "interval(x int): (9223372036854775807)@[2, 6) (1)@[2, 6)"},
        {"S": "interval(x int): (1)@[2, 6)"},
    ),
    StreamProbe("S(x float, y float) | map(x = y as same)", {"S": _NAN}),
    StreamProbe("S(x float, y float) | distinct | aggregate(count(*) as n)", {"S": _NAN}),
    StreamProbe(
        "union(S(x float), S(x float) | map(x * -1.0 as x)) | distinct | aggregate(count(*) as n)",
        {"S": "interval(x float): (0.0)@[2, 6)"},
    ),
    StreamProbe("S(s str) | map(s as s, s = 'a' as same)", {"S": "interval(s str): ('a')@[2, 6) ('A')@[2, 6)"}),
    StreamProbe(
        r"S(s str) | map(s as s, s like 'a\\%' as fits)",
        {"S": r"interval(s str): ('a%')@[2, 6) ('a\\b')@[2, 6) ('A\\b')@[2, 6) ('A%')@[2, 6)"},
    ),
)

_COUNTED: Final = ("group(k; count(*) as n)", "aggregate(count(*) as n)")
_LATE: Final = ("(1)@10", "(2)@5", "(3)@9", 39)
_IN_ORDER: Final = ("(1)@10", "(2)@11", "(3)@12", 39)
OF_INTERVALS: Final[tuple[Probe, ...]] = (
    *(SessionProbe(f"S(k int) | {counted}", ("(1)@[2, 8)", 4, "(1)@[6, 12)")) for counted in _COUNTED),
    *(SessionProbe(f"S(k int) | {counted}", ("(1)@[2, 8)", 20)) for counted in _COUNTED),
    SessionProbe("S(x int)", ("(1)@[10, 18)", "(2)@[5, 13)", 39), ("(1)@[10, 18)", 39)),
    SessionProbe("S(x int)", ("(1)@[10, 18)", 12, "(2)@[8, 16)", 39), ("(1)@[10, 18)", 12, 39)),
    SessionProbe("S(x int)", ("(1)@[10, 18)", "(2)@[10, 18)", 39), ("(1)@[10, 18)", 39)),
    SessionProbe("S(x int)", ("(1)@[10, 18)", "(2)@[8, 16)", 39), ("(1)@[10, 18)", 39), slack=3),
)
OF_EVENTS: Final[tuple[Probe, ...]] = (
    *(SessionProbe(f"S(k int) | window(range 6) | {counted}", ("(1)@2", 4, "(1)@6")) for counted in _COUNTED),
    *(SessionProbe(f"S(k int) | window(range 6) | {counted}", ("(1)@2", 20)) for counted in _COUNTED),
    *(SessionProbe(f"S(x int) | window({w})", _LATE, _IN_ORDER) for w in ("range 8 slide 4", "range 8")),
    SessionProbe("S(x int) | window(range 8)", ("(1)@10", 12, "(2)@8", 39), _IN_ORDER),
    SessionProbe("S(x int) | window(range 8)", ("(1)@10", "(2)@10", 39), ("(1)@10", 39)),
    SessionProbe("S(x int) | window(range 8)", ("(1)@10", "(2)@8", 39), _IN_ORDER, slack=3),
)
"""The same with windows, for engines that take no intervals; and slides, which make bins of late rows."""

PROBES: Final[tuple[Probe, ...]] = (*OVER_STREAMS, *OF_INTERVALS, *OF_EVENTS)
