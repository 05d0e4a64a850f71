"""Session windows: of a stream an operator of its own, of a table what its times say when they are put in order."""

from sqlglot import exp

from semantics.sql.dialects.nodes import Held, InOwnWords, Windowing, as_type, plus, time_now, whole
from semantics.sql.dialects.scope import Scope
from semantics.sql.dialects.shapes import Item, Shape
from semantics.sql.dialects.window_columns import named, with_window
from semantics.sql.dialects.writing import written

FIRST, AFTER = "session_start", "session_end"


def sessions_of_stream(node: Windowing, inner: Item, scope: Scope) -> tuple[exp.Select, Shape]:
    """Rows at the last instant of their session, when nothing can be added to it any more."""
    keys, gap = _keys(node), scope.instants(node.args["size"], node)
    touching = "" if scope.profile.strict_sessions else " TOUCHING"
    partition = f"PARTITION BY {', '.join(map(written, keys))} " if keys else ""
    window = f"{partition}SESSION {gap}{touching} AS {FIRST}, {AFTER}"
    first, after = exp.column(FIRST), exp.column(AFTER)
    last = exp.EQ(this=time_now(), expression=plus(after, -1))
    values = (scope.as_timestamp(first), scope.as_timestamp(after.copy()), scope.timestamp())
    columns = [*(exp.column(exp.to_identifier(name)) for name in inner.shape.columns), *named(node, scope, *values)]
    block = exp.Select(expressions=columns)
    block.set("from_", exp.From(this=Held(this=inner.node, window=window)))
    block.set("where", exp.Where(this=last))
    shape = with_window(node, inner.shape, scope, frozenset((node.args["names"][2].lower(),)), paned=True)
    return block, shape


def _keys(node: Windowing) -> list[exp.Expr]:
    return [exp.column(exp.to_identifier(key.name)) for key in node.args.get("keys") or []]


def sessions_of_table(node: Windowing, inner: Item, scope: Scope, time: exp.Column) -> tuple[exp.Expr, Shape]:
    """A row begins a session if no row before it reaches to it; the others belong to the last one that began."""
    reach = ">" if scope.profile.strict_sessions else ">="
    size = node.args["size"]
    at, gap = written(as_type(time, "BIGINT")), written(size if isinstance(size, exp.Expr) else whole(size))
    columns = [written(exp.to_identifier(name)) for name in inner.shape.columns]
    same = [f"{{0}}.{written(key)} IS NOT DISTINCT FROM {{1}}.{written(key)}" for key in _keys(node)]

    def alike(one: str, other: str) -> str:
        return "".join(f" AND {part.format(one, other)}" for part in same)

    start, end = (written(exp.to_identifier(name)) for name in node.args["names"][:2])
    every = ", ".join(columns)
    text = f"""
    WITH timed AS (SELECT {every}, {at} AS begun_at, {at} + {gap} AS reaches FROM {written(inner.node)}
                   WHERE {written(time)} IS NOT NULL AND {gap} > 0),
         first_ones AS (SELECT one.* FROM timed AS one WHERE NOT EXISTS (SELECT 1 FROM timed AS o
                   WHERE o.begun_at < one.begun_at AND o.reaches {reach} one.begun_at{alike("o", "one")})),
         placed AS (SELECT one.*, (SELECT MAX(f.begun_at) FROM first_ones AS f
                   WHERE f.begun_at <= one.begun_at{alike("f", "one")}) AS session_at FROM timed AS one)
    SELECT {every}, CAST(session_at AS TIMESTAMP) AS {start},
           CAST((SELECT MAX(o.reaches) FROM placed AS o WHERE o.session_at = p.session_at{alike("o", "p")})
                AS TIMESTAMP) AS {end}
    FROM placed AS p"""
    made = InOwnWords(this=" ".join(text.split()), reads=[inner.node])
    return made, with_window(node, inner.shape, scope, inner.shape.times, paned=False)
