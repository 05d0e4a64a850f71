"""Random queries with streams, in which deviations can be planted: all operators, panes and changelogs, late rows.

Rows tie, repeat, come late, have NULLs, and leave gaps; keys are few and come back. Otherwise most deviations would not
show.
"""

from typing import Final

from equivalence.cases.choices import Choices
from equivalence.deviations.situation import Arrival, Input, Lateness, Situation, with_watermarks
from equivalence.recordings.recording import EveryInstant, Judged, LastInstants
from semantics import Interval, Plan, Row, Schema, parse_plan

SCHEMA: Final = Schema.of(k=int, x=int, s=str)
OTHER: Final = Schema.of(j=int, y=int, u=str)
_A, _B = "A(k int, x int, s str)", "B(j int, y int, u str)"
DELAY: Final = 2
_POLICIES: Final[tuple[Lateness, ...]] = ("pane", "pane", "row", "keep")

_AGGREGATES: Final = (
    "count(*) as n, sum(x) as t",
    "count(*) as n, avg(x) as m",
    "count(x) as n, max(x) as h",
    "count(distinct x) as n, sum(x) as t",
    "sum(x) as t, avg(x) as m",
    "median(x) as m, count(*) as n",
    "var_pop(x) as v, min(x) as l",
)
_FILTERS: Final = ("", "", "", " | filter(x > 1)", " | filter(s = 'a' or x >= 3)", " | map(k as k, x / 2 as x, s as s)")


def choose_situation(choices: Choices, rows: int) -> Situation:
    """A query, its streams with this many rows, and where its output is judged."""
    size = choices.of((4, 6, 8, 10))
    slide = choices.of((size, size, size // 2, 3))
    shape = choices.of(tuple(_SHAPES))
    text = _SHAPES[shape].format(
        A=_A, B=_B, w=size, s=slide, f=choices.of(_FILTERS), a=choices.of(_AGGREGATES), r=choices.between(2, 4)
    )
    plan = parse_plan(text)
    panes = shape in _PANES
    late = panes and choices.chance(1, 3)
    inputs = {name: choose_input(choices, schema, rows // len(plan.sources()), late) for name, schema in _sources(plan)}
    end = max((a.time for given in inputs.values() for a in given.arrivals), default=0) + 3 * size
    judged: Judged = LastInstants(slide, 0, end - end % slide) if panes else EveryInstant(end)
    lateness = choices.of(_POLICIES) if late else "keep"
    return Situation(plan, inputs, judged, lateness, ticks_per_hour=24)


def _sources(plan: Plan) -> list[tuple[str, Schema]]:
    return sorted(plan.sources().items())


def choose_input(choices: Choices, schema: Schema, rows: int, late: bool) -> Input:
    """Rows in the order of arrival; one in five is late if that is wanted."""
    arrivals: list[Arrival] = []
    time = choices.below(4)
    for _ in range(rows):
        time += choices.of((0, 0, 1, 1, 2)) if choices.below(24) else choices.between(6, 30)
        behind = choices.between(1, 12) if late and choices.chance(1, 5) else 0
        at = max(time - behind, 0)
        row = arrivals[-1].row if arrivals and choices.chance(1, 6) else _row(choices)
        arrivals.append(Arrival(row, Interval(at, at + 1)))
    return Input(schema, with_watermarks(arrivals, DELAY) if late else tuple(_in_order(arrivals)))


def _in_order(arrivals: list[Arrival]) -> list[Arrival]:
    return sorted(arrivals, key=lambda arrival: arrival.time)


def _row(choices: Choices) -> Row:
    return (
        choices.of((1, 2, 3, None)),
        choices.of((1, 2, 3, 4, 5, None)),
        choices.of(("a", "b", "A", "a", None)),
    )


_LEFT, _RIGHT = "{A} | window(range {w})", "{B} | window(range {w})"
_SHAPES: Final = {
    "tumbling groups": "{A}{f} | window(range {w}) | group(k; {a})",
    "panes of all": "{A}{f} | window(range {w}) | aggregate({a})",
    "window join": f"join({_LEFT}, {_RIGHT}; k = j)",
    "window outer join": f"leftjoin({_LEFT}, {_RIGHT}; k = j)",
    "panes of rows": "{A}{f} | window(range {w}) | map(k as k, x as x)",
    "changelog of groups": "{A}{f} | window(range unbounded) | group(k; {a})",
    "sliding groups": "{A}{f} | window(range {w}) | group(k; {a})",
    "slow groups": "{A}{f} | window(range {w} slide {s}) | group(k; {a})",
    "total": "{A}{f} | window(range {w}) | total({a})",
    "gaps": "{A}{f} | window(range {w}) | aggregate({a})",
    "join": f"join({_LEFT}, {_RIGHT}; k = j)",
    "full join": f"fulljoin({_LEFT}, {_RIGHT}; k = j)",
    "left join": f"leftjoin({_LEFT}, {_RIGHT}; k = j)",
    "semijoin": "semijoin({A} | window(range {w}), {B} | window(range 2); k = j)",
    "antijoin": "antijoin({A} | window(range {w}), {B} | window(range 2); k = j)",
    "difference": f"difference({_LEFT} | map(k as k), {_RIGHT} | map(j as j))",
    "intersection": f"intersection({_LEFT} | map(k as k), {_RIGHT} | map(j as j))",
    "union": f"union({_LEFT} | map(k as k, x as x), {{B}} | window(range 2) | map(j as j, y as y))",
    "distinct": "{A}{f} | window(range {w}) | map(k as k, x as x) | distinct",
    "last rows": "{A}{f} | window(rows {r}) | map(k as k, x as x)",
    "last rows with ties": "{A}{f} | window(rows {r} with ties) | group(k; {a})",
    "every second row": "{A}{f} | window(rows {r} slide 2) | map(k as k, x as x)",
    "last of each key": "{A}{f} | window(partition by k rows {r})",
    "landmark": "{A}{f} | window(landmark 3 reset 9) | group(k; {a})",
    "top of each key": "{A}{f} | window(range {w}) | map(k as k, x as x) | limit({r} per k; x desc)",
    "top with ties": "{A}{f} | window(range {w}) | map(k as k, x as x) | limit({r} with ties after 1; x)",
    "changes": "{A}{f} | window(range {w}) | map(k as k) | istream",
    "removals": "{A}{f} | window(range {w}) | map(k as k) | dstream",
    "sessions": "{A}{f} | window(partition by k session {w})",
    "sessions that touch": "{A}{f} | window(partition by k session {w} touching as b, e) | group(k, b, e; {a})",
    "sums over time": "{A}{f} | over(sum(x) range {w} as t, count(*) range unbounded as n per k)",
    "sums over rows": "{A}{f} | over(sum(x) rows {r} as t, count(*) rows unbounded as n per k)",
    "rows before and after": "{A}{f} | over(lag(x, 1) as b, lead(x, 1) as a per k)",
    "remainders": "{A} | window(range {w}) | map(k as k, (x - 3) mod 4 as x, s as s) | group(k; {a})",
}
_PANES: Final = frozenset({"tumbling groups", "panes of all", "window join", "window outer join", "panes of rows"})
