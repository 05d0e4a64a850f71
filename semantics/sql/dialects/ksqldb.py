"""ksqlDB: streams and tables over topics, with WINDOW and WITHIN clauses that no other SQL has."""

import re
from collections.abc import Callable
from dataclasses import replace
from functools import reduce
from typing import Any, ClassVar, Final

from sqlglot import Token, TokenType, exp, tokens
from sqlglot.dialects.dialect import Dialect

from semantics.sql.dialects import function_names
from semantics.sql.dialects.ddl import SourceColumn, SourceTable, inside, matching, split
from semantics.sql.dialects.durations import microseconds
from semantics.sql.dialects.nodes import COUNTED_BOUND, Windowing, as_type, call, plus, whole
from semantics.sql.dialects.parsing import StreamingSyntax, without_arrows
from semantics.sql.dialects.profile import Prepared, Profile
from semantics.sql.dialects.type_names import type_name
from semantics.sql.dialects.window_calls import NAMES, name_of
from semantics.sql.errors import SqlError

ROWTIME: Final = "ROWTIME"
KINDS: Final = {"TUMBLING": "TUMBLE", "HOPPING": "HOP", "SESSION": "SESSION"}
BOUNDS: Final = {"WINDOWSTART": NAMES[0], "WINDOWEND": NAMES[1]}
ISO: Final = re.compile(r"|yyyy-MM-dd( |'+T'+)HH:mm(:ss(\.S+)?)?(X+|Z+)?")
"""Formats of times that CAST reads."""
Change = Callable[[exp.Expr], exp.Expr]


def _field(_: StreamingSyntax, of: exp.Expr, name: exp.Expr) -> exp.Expr:
    """r->a"""
    plain = name.this if isinstance(name, exp.Column) else name
    return exp.Dot(this=exp.paren(of, copy=False), expression=plain)


class KsqlParser(StreamingSyntax):
    """Standard SQL with -> before fields; what else ksqlDB adds is taken out before."""

    COLUMN_OPERATORS: ClassVar[dict[Any, Any]] = {**StreamingSyntax.COLUMN_OPERATORS, TokenType.ARROW: _field}
    LAMBDAS: ClassVar[dict[Any, Any]] = without_arrows(StreamingSyntax.LAMBDAS)


class Ksql(Dialect):
    class Tokenizer(tokens.Tokenizer):
        IDENTIFIERS = ["`", '"']  # noqa: RUF012  # sqlglot asks for a plain attribute
        QUOTES = ["'"]  # noqa: RUF012

    Parser = KsqlParser


def prepared(found: list[Token], text: str) -> Prepared:
    """A query without WINDOW … (…) and WITHIN …, which are put back into the tree."""
    found, window = _without_window(_without_partition(found))
    found, within = _without_within(found)

    def after(tree: exp.Expr) -> exp.Expr:
        made = _joined_within(tree.transform(_in_milliseconds), within).transform(_in_standard_words)
        return made if window is None else _windowed(made, *window)

    _ = text
    return Prepared(found, after)


def _without_partition(found: list[Token]) -> list[Token]:
    """PARTITION BY at the end of a query: it says where rows lie, not which."""
    at = next((i for i, token in enumerate(found) if token.token_type == TokenType.PARTITION_BY), len(found))
    return found[:at]


def _in_milliseconds(node: exp.Expr) -> exp.Expr:
    """ROWTIME as queries see it, a number of milliseconds."""
    if not isinstance(node, exp.Column) or node.name.upper() != ROWTIME:
        return node
    counted = call("DIV", as_type(node.copy(), "BIGINT"), whole(1000))
    return exp.Alias(this=counted, alias=node.this.copy()) if isinstance(node.parent, exp.Select) else counted


def _in_standard_words(node: exp.Expr) -> exp.Expr:
    """What ksqlDB says otherwise: texts are added, patterns stand before the text."""
    if isinstance(node, exp.Add) and any(map(_is_text, node.flatten())):
        parts = [part.transform(_in_standard_words) for part in node.flatten()]
        return reduce(lambda left, right: exp.DPipe(this=left, expression=right), parts)
    if name_of(node) in ("REGEXP_EXTRACT", "REGEXP_EXTRACT_ALL") and len(node.expressions) > 1:
        pattern, text, *group = (part.transform(_in_standard_words) for part in node.expressions)
        return call(name_of(node), text, pattern, *(group or [whole(0)]))
    return _element(node)


def _is_text(node: exp.Expr) -> bool:
    """Is it sure to be a text?"""
    if isinstance(node, exp.Cast):
        return bool(node.to.this in exp.DataType.TEXT_TYPES)
    return isinstance(node, exp.DPipe) or (isinstance(node, exp.Literal) and bool(node.is_string))


def _element(node: exp.Expr) -> exp.Expr:
    """SPLIT(text, separator)[i], which counts from 1 and is NULL where there are fewer parts."""
    if not isinstance(node, exp.Bracket) or name_of(node.this) != "SPLIT" or not node.expressions[0].is_int:
        return node
    return call("SPLIT_INDEX", *node.this.expressions, whole(int(node.expressions[0].name) - 1))


def _without_window(found: list[Token]) -> tuple[list[Token], tuple[str, dict[str, int]] | None]:
    """WINDOW TUMBLING (SIZE 1 HOUR, …)"""
    words = [token.text.upper() for token in found]
    for i in range(len(words) - 2):
        if words[i] == "WINDOW" and words[i + 1] in KINDS:
            end = matching(found, i + 2)
            return found[:i] + found[end + 1 :], (KINDS[words[i + 1]], _lengths(inside(found, i + 2)))
    return found, None


def _lengths(found: list[Token]) -> dict[str, int]:
    """SIZE 1 HOUR, ADVANCE BY 5 MINUTES, GRACE PERIOD …; a gap of a session has no name."""
    lengths: dict[str, int] = {}
    for part in split(found):
        words = [word for token in part for word in token.text.upper().split()]
        name = words[0] if not words[0].isdigit() else "SIZE"
        lengths[name] = _duration(words[-2], words[-1], part[0])
    return lengths


def _duration(number: str, unit: str, at: Token) -> int:
    if not number.isdigit():
        raise SqlError(f"{number} {unit} is no duration", "a number and a unit", at.start)
    return microseconds(exp.Interval(this=exp.Literal.string(number), unit=exp.Var(this=unit)))


def _without_within(found: list[Token]) -> tuple[list[Token], list[tuple[int, int] | None]]:
    """JOIN t WITHIN 1 HOUR [GRACE PERIOD 5 MINUTES] ON …, for each join in its order."""
    kept: list[Token] = []
    joins: list[tuple[int, int] | None] = []
    words, i = [token.text.upper() for token in found], 0
    while i < len(found):
        if found[i].token_type == TokenType.JOIN:
            joins.append(None)
        if words[i] == "WITHIN" and joins:
            end = next((k for k in range(i, len(words)) if words[k] == "ON"), len(words))
            if end in (i + 1, len(words)):
                raise SqlError("WITHIN needs a duration and a condition", "WITHIN 1 HOUR ON …", found[i].start)
            grace = next((k for k in range(i, end) if words[k] == "GRACE"), end)
            joins[-1] = _before_and_after(found[i + 1 : grace])
            i = end
        kept.append(found[i])
        i += 1
    return kept, joins


def _before_and_after(found: list[Token]) -> tuple[int, int]:
    """7 DAYS, or (1 HOUR, 2 HOURS): how long before and after."""
    parts = split(inside(found, 0)) if found[0].token_type == TokenType.L_PAREN else [found]
    lengths = [_duration(part[0].text, part[-1].text, part[0]) for part in parts]
    return lengths[0], lengths[-1]


def _joined_within(tree: exp.Expr, within: list[tuple[int, int] | None]) -> exp.Expr:
    joins = tree.args.get("joins") or []
    first = tree.args["from_"].this.alias_or_name if tree.args.get("from_") else ""
    times: list[exp.Expr] = [exp.column(ROWTIME, table=first)]
    for join, bounds in zip(joins, within, strict=False):
        theirs = exp.column(ROWTIME, table=join.this.alias_or_name)
        if bounds is not None and join.args.get("on") is not None:
            mine = times[0].copy() if len(times) == 1 else call("GREATEST", *(time.copy() for time in times))
            times.append(theirs.copy())
            low = exp.Sub(this=mine, expression=_interval(bounds[0]))
            high = exp.Add(this=mine.copy(), expression=_interval(bounds[1]))
            join.set("on", exp.and_(join.args["on"], exp.Between(this=theirs, low=low, high=high)))
    return tree


def _interval(length: int) -> exp.Interval:
    return exp.Interval(this=exp.Literal.string(f"{length // 1000}"), unit=exp.Var(this="MILLISECOND"))


def _windowed(tree: exp.Expr, kind: str, lengths: dict[str, int]) -> exp.Expr:
    """The windows in FROM; WINDOWSTART and WINDOWEND are counts of milliseconds."""
    size = lengths.get("SIZE", 0)
    if size <= 0 and kind != "SESSION":
        raise SqlError(f"WINDOW {kind} has no size", "SIZE and a duration")
    if tree.args.get("from_") is None:
        raise SqlError(f"WINDOW {kind} needs rows", "FROM")
    relation = tree.args["from_"].this
    alias = exp.TableAlias(this=exp.to_identifier(relation.alias_or_name))
    made = Windowing(
        this=relation,
        kind=kind,
        time=exp.column(ROWTIME),
        size=size,
        slide=lengths.get("ADVANCE", size),
        offset=0,
        names=NAMES,
        alias=alias,
        since_epoch=True,
        grace=lengths.get("GRACE"),
    )
    group = tree.args.get("group")
    if group is not None and kind == "SESSION":
        made.set("keys", [key.copy() for key in group.expressions if isinstance(key, exp.Column)])
    if group is not None:
        group.set("expressions", [*group.expressions, *map(exp.column, NAMES[:2])])
    gap = size if kind == "SESSION" else 0
    tree.set("expressions", [_item(item, gap) for item in tree.expressions])
    having = tree.args.get("having")
    if having is not None:
        having.set("this", having.this.transform(_bound, gap))
    tree.set("from_", exp.From(this=made))
    return tree


def _item(item: exp.Expr, gap: int) -> exp.Expr:
    made = item.transform(_bound, gap)
    plain = isinstance(item, exp.Column) and item.name.upper() in BOUNDS
    return exp.Alias(this=made, alias=exp.to_identifier(item.name)) if plain else made


def _bound(node: exp.Expr, gap: int) -> exp.Expr:
    """The bound as a count of milliseconds; a session ends with its last row, before the gap."""
    if not isinstance(node, exp.Column) or node.name.upper() not in BOUNDS:
        return node
    name = BOUNDS[node.name.upper()]
    counted = exp.Div(this=as_type(exp.column(name), "BIGINT"), expression=exp.Literal.number(1000))
    if gap and name == NAMES[1]:
        return exp.paren(plus(counted, -gap // 1000))
    counted.meta[COUNTED_BOUND] = name  # what it counts is still the bound of the row's window
    return counted


def with_rowtime(table: SourceTable, kind: str) -> SourceTable:
    """The time of a record is what the option says, or the column ROWTIME; the rows of a table replace each other."""
    named = table.options.get("timestamp")
    own = table.column(named) if named else None
    if table.time is not None:
        return table
    if own is not None and type_name(own.type) == "TEXT":
        made = replace(table, columns=(*table.columns, SourceColumn(ROWTIME, computed=_read(own, table))), time=ROWTIME)
    elif own is None:
        made = replace(table, columns=(*table.columns, SourceColumn(ROWTIME, ("TIMESTAMP",))), time=ROWTIME)
    else:
        made = replace(
            table, columns=(*table.columns, SourceColumn(ROWTIME, computed=exp.column(own.name))), time=own.name
        )
    return replace(made, versioned=kind == "TABLE")


def _read(column: SourceColumn, table: SourceTable) -> exp.Expr:
    """The time of a record that stands in it as a text."""
    form = table.options.get("timestamp_format", "")
    further = [] if ISO.fullmatch(form) else [exp.Literal.string(form)]
    return call("TO_TIMESTAMP", exp.column(column.name), *further)


KSQLDB = Profile(
    "ksqldb",
    Ksql,
    changes="upsert",
    prepare=prepared,
    completed=with_rowtime,
    tables_have_versions=True,
    whole_elements=True,
    names_say_relation=True,
    nulls_in_arrays=False,
    implied=frozenset((ROWTIME,)),
    functions=function_names.KSQLDB,
)
