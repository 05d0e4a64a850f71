"""The probes: some decide several properties at once, others one, for engines that know few operators.

Streams are given by intervals wherever a window would only bring further questions with it.
"""

from typing import Final

from equivalence.dialects.probe import Probe

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
_LARGE: Final = "interval(a int, b int): (9223372036854775807, 1)@[2, 6)"
_NAN: Final = "interval(x float, y float): (nan, nan)@[2, 6) (nan, nan)@[2, 6)"

PROBES: Final[tuple[Probe, ...]] = (
    Probe("S(x int) | window(range 5)", {"S": "raw(x int): (1)@6 (2)@14"}),
    Probe("S(x int) | window(range 8 slide 4)", {"S": "raw(x int): (1)@5 (2)@18"}),
    Probe("S(x int) | window(range 8 slide 4)", {"S": "raw(x int): (1)@6 (2)@19"}),
    Probe("S(x int) | window(rows 2)", {"S": "raw(x int): (1)@1 (2)@3 (3)@5 (4)@7"}),
    Probe("S(x int) | window(rows 2)", {"S": "raw(x int): (2)@1 (5)@1 (1)@1 (4)@1 (3)@1"}),
    Probe("S(k int) | window(range 3) | group(k; count(*) as n)", {"S": "raw(k int): (1)@2 (2)@9"}),
    Probe("S(k int, x int) | group(k; count(*) as n, count(x) as c, sum(x) as s, avg(x) as a)", {"S": _NULLS}),
    Probe("S(k int) | group(k; count(*) as n)", {"S": "interval(k int): (null)@[2, 6) (1)@[2, 6)"}),
    Probe("S(x int) | aggregate(count(*) as n, count(x) as c)", {"S": _VALUES}),
    Probe("S(x int) | aggregate(sum(x) as s)", {"S": _VALUES}),
    Probe("S(x int) | aggregate(avg(x) as a)", {"S": _VALUES}),
    Probe("S(x int) | total(count(*) as n)", {"S": "interval(x int): (1)@[4, 6) (2)@[9, 11)"}),
    Probe("join(L(a int), R(b int); a = b)", {"L": _LEFT, "R": _RIGHT}),
    Probe("antijoin(L(a int), R(b int); a = b)", {"L": _LEFT, "R": _RIGHT}),
    Probe("S(x int) | filter(x > 1)", {"S": _ORDERED}),
    Probe("union(S(x int), T(x int))", {"S": _FEWER, "T": _FEWER}),
    Probe("difference(S(x int), T(x int))", {"S": _COPIES, "T": _FEWER}),
    Probe("intersection(S(x int), T(x int))", {"S": _COPIES, "T": _FEWER}),
    Probe("S(x int) | distinct", {"S": "interval(x int): (null)@[2, 6) (null)@[2, 6) (1)@[2, 6) (1)@[2, 6)"}),
    Probe("S(x int, y int) | limit(2; x)", {"S": "interval(x int, y int): (1, 1)@[2, 6) (2, 1)@[2, 6) (2, 2)@[2, 6)"}),
    Probe("S(x int) | limit(1; x)", {"S": _ORDERED}),
    Probe("S(x int) | limit(1; x desc)", {"S": _ORDERED}),
    Probe("S(x int) | map(x as x, x / 2 as q, x mod 3 as m)", {"S": "interval(x int): (-7)@[2, 6) (7)@[2, 6)"}),
    Probe("S(x int) | map(x as x, x / 2 as q)", {"S": "interval(x int): (-7)@[2, 6) (7)@[2, 6)"}),
    Probe("S(x int) | map(x as x, x mod 3 as m)", {"S": "interval(x int): (-7)@[2, 6) (7)@[2, 6)"}),
    Probe(
        "S(x float, y float) | map(x / y as q)",
        {"S": "interval(x float, y float): (1.0, 0.0)@[2, 6)"},
        {"S": "interval(x float, y float): (1.0, 2.0)@[2, 6)"},
    ),
    Probe(
        "S(a int, b int) | map(a + b > 0 as positive)", {"S": _LARGE}, {"S": "interval(a int, b int): (1, 1)@[2, 6)"}
    ),
    Probe(
        "S(x int) | aggregate(sum(x) as s) | map(s > 0 as positive)",
        {"S": "interval(x int): (9223372036854775807)@[2, 6) (1)@[2, 6)"},
        {"S": "interval(x int): (1)@[2, 6)"},
    ),
    Probe("S(x float, y float) | map(x = y as same)", {"S": _NAN}),
    Probe("S(x float, y float) | distinct | aggregate(count(*) as n)", {"S": _NAN}),
    Probe(
        "union(S(x float), S(x float) | map(x * -1.0 as x)) | distinct | aggregate(count(*) as n)",
        {"S": "interval(x float): (0.0)@[2, 6)"},
    ),
    Probe("S(s str) | map(s as s, s = 'a' as same)", {"S": "interval(s str): ('a')@[2, 6) ('A')@[2, 6)"}),
    Probe(
        r"S(s str) | map(s as s, s like 'a\\%' as fits)",
        {"S": r"interval(s str): ('a%')@[2, 6) ('a\\b')@[2, 6) ('A\\b')@[2, 6) ('A%')@[2, 6)"},
    ),
)
