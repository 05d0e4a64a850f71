"""QED's pairs of plans: one JSON document with `schemas` and two `queries`.

Columns are numbers: first those of the rows around, outermost first, then those of the row itself. So an expression
needs nothing but the list of texts that these columns have.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from equivalence.foreign_plans.block import Block, Blocks
from equivalence.foreign_plans.calls import aggregate, call, literal
from equivalence.foreign_plans.errors import PlanError, has_query, part, shown
from equivalence.foreign_plans.pair import PairOfPlans
from equivalence.foreign_plans.sql_types import sql_type
from equivalence.foreign_plans.unknown_functions import UnknownFunctions

Scope = tuple[str, ...]
_JOINS: Final = ("INNER", "LEFT", "RIGHT", "FULL")
_SETS: Final = {"union": "UNION ALL", "intersect": "INTERSECT", "except": "EXCEPT"}
_ORDERS: Final = {"ASC": "", "ASCENDING": "", "DESC": " DESC", "DESCENDING": " DESC", "+": "", "-": " DESC"}
_NULLS: Final = {"-NULLS-FIRST": " NULLS FIRST", "-NULLS-LAST": " NULLS LAST"}
_DISTINCT: Final = "(DISTINCT "
_UNSAID: Final = {_DISTINCT: "DISTINCT of an aggregate", "groups=[": "grouping sets", "FILTER ": "FILTER"}
"""What older versions of the format left out of the plans, although the text beside them shows it."""


def is_qed(document: object) -> bool:
    return isinstance(document, dict) and {"schemas", "queries"} <= document.keys()


def read_qed(document: Mapping[str, Any]) -> PairOfPlans:
    """The pair that a document holds; a PlanError says what cannot be read."""
    schemas, queries = part(document, "schemas", list), part(document, "queries", list)
    if len(queries) != 2:
        raise PlanError(f"expected two queries, got {len(queries)}")
    explained = " ".join(text for text in document.get("help", []) if isinstance(text, str))
    _check_nothing_unsaid(explained, queries)
    try:
        tables = [_Table.of(schema, i) for i, schema in enumerate(schemas)]
        functions = UnknownFunctions(explained)
        q1, q2 = (_Reader(tables, functions).relation(query, ()).query for query in queries)
    except RecursionError:
        raise PlanError("the plans are nested too deeply") from None
    declared = [table.declaration for table in tables] or ["CREATE TABLE t(c INT)"]
    return PairOfPlans(";\n".join(declared), q1, q2, tuple(functions.made.values()))


def _check_nothing_unsaid(explained: str, queries: list[Any]) -> None:
    """Raise a PlanError if the explanation shows what the plans of an older version do not."""
    for shows, what in _UNSAID.items():
        if shows in explained and not (shows == _DISTINCT and "'distinct': True" in str(queries)):
            raise PlanError(f"{what}, which its help shows, is not in the plan")


@dataclass(frozen=True)
class _Table:
    name: str
    columns: tuple[str, ...]
    declaration: str
    checks: tuple[Any, ...]

    @classmethod
    def of(cls, schema: Any, number: int) -> "_Table":
        types = [sql_type(kind) for kind in part(schema, "types", list)]
        named = schema.get("name") or f"T{number}"
        columns = tuple(_quoted(name) for name in schema.get("fields") or [f"c{i}" for i in range(len(types))])
        if len(columns) != len(types):
            raise PlanError(f"{named}: expected as many types as columns, got {len(types)} for {len(columns)}")
        known = _never_null(schema, len(types))
        lines = [
            f"{column} {kind}{' NOT NULL' if i in known else ''}"
            for i, (column, kind) in enumerate(zip(columns, types, strict=True))
        ]
        for key in schema.get("key", []):
            if not key:
                raise PlanError(f"{named}: a table of one row at most is not known here")
            lines.append(f"UNIQUE ({', '.join(columns[i] for i in key)})")
        # The number tells apart tables of one name.
        name = _quoted(f"{named}_{number}")
        checks = tuple(schema.get("guaranteed", ()))
        return cls(name, columns, f"CREATE TABLE {name}({', '.join(dict.fromkeys(lines))})", checks)


def _never_null(schema: Any, columns: int) -> set[int]:
    if "nullable" in schema:
        return {i for i, nullable in enumerate(schema["nullable"]) if not nullable}
    strategies = schema.get("strategy", [""] * columns)
    return {i for i, strategy in enumerate(strategies) if strategy == "NOT_NULLABLE"}


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


@dataclass
class _Reader:
    tables: Sequence[_Table]
    functions: UnknownFunctions
    blocks: Blocks = field(default_factory=Blocks)

    def relation(self, node: Any, outer: Scope) -> Block:
        """The rows of a relation inside rows whose columns have these texts."""
        if node == "singleton":
            return self.blocks.of_rows([()], ())
        if not isinstance(node, dict) or len(node) != 1:
            raise PlanError(f"expected a relation, got {shown(node)}")
        ((kind, content),) = node.items()
        match kind:
            case "scan":
                return self._scan(content)
            case "filter":
                return self._filter(content, outer)
            case "project":
                return self._project(content, outer)
            case "join":
                return self._join(content, outer)
            case "correlate":
                return self._correlate(content, outer)
            case "union" | "intersect" | "except":
                return self._set(kind, content, outer)
            case "distinct":
                return self._distinct(content, outer)
            case "values":
                return self._values(content, outer)
            case "aggregate":
                return self._grouped(part(content, "source", dict), None, part(content, "function", list), outer)
            case "group":
                keys, functions = part(content, "keys", list), part(content, "function", list)
                return self._grouped(part(content, "source", dict), keys, functions, outer)
            case "sort":
                return self._sort(content, outer)
        raise PlanError(f"the relation {kind} is not known here")

    def _rows(self, source: Any, outer: Scope, users: Any) -> Block:
        """The rows of a relation for expressions; a query in one of these must not see aggregates."""
        block = self.relation(source, outer)
        return self.blocks.ungrouped(block) if has_query(users) else block

    def _scan(self, number: Any) -> Block:
        if not isinstance(number, int) or not 0 <= number < len(self.tables):
            raise PlanError(f"expected the number of one of {len(self.tables)} schemas, got {shown(number)}")
        table = self.tables[number]
        block = self.blocks.of_table(table.name, table.columns)
        checks = [f"({self.expression(check, block.columns)} IS NOT FALSE)" for check in table.checks]
        return block.having(*checks) if checks else block

    def _filter(self, content: Any, outer: Scope) -> Block:
        source = self._rows(part(content, "source", dict), outer, [content.get("condition")])
        return source.having(self.expression(content.get("condition"), outer + source.columns))

    def _project(self, content: Any, outer: Scope) -> Block:
        columns = content.get("target", content.get("columns"))
        source = self._rows(part(content, "source", (dict, str)), outer, columns)
        if not isinstance(columns, list):
            raise PlanError(f'expected a projection with "target", got {shown(content)}')
        if source.is_long:
            source = self.blocks.closed(source)
        return source.mapped(tuple(self.expression(each, outer + source.columns) for each in columns))

    def _join(self, content: Any, outer: Scope) -> Block:
        kind = part(content, "kind", str).upper()
        left, right = (self.relation(part(content, side, dict), outer) for side in ("left", "right"))
        left, right = self.blocks.sides(kind, left, right)
        if kind in ("SEMI", "ANTI"):
            return self._semijoin(kind, left, right, content.get("condition"), outer)
        if kind not in _JOINS:
            raise PlanError(f"the join {kind} is not known here")
        condition = self.expression(content.get("condition"), outer + left.columns + right.columns)
        return self.blocks.joined(kind, left, right, condition)

    def _semijoin(self, kind: str, left: Block, right: Block, condition: Any, outer: Scope) -> Block:
        matching = right.having(self.expression(condition, outer + left.columns + right.columns))
        return left.matched(matching, negated=kind == "ANTI")

    def _correlate(self, content: Any, outer: Scope) -> Block:
        """The second relation for each row of the first, whose columns it sees."""
        if isinstance(content, list) and len(content) == 2:
            kind, (first, second) = "INNER", content
        else:
            kind, first, second = content.get("kind", "INNER").upper(), content.get("left"), content.get("right")
        left = self.blocks.ungrouped(self.relation(first, outer))
        if left.is_long:
            left = self.blocks.closed(left)
        return self.blocks.correlated(kind, left, self.relation(second, outer + left.columns))

    def _set(self, kind: str, content: Any, outer: Scope) -> Block:
        if not isinstance(content, list) or not content:
            raise PlanError(f"expected relations under {kind}, got {shown(content)}")
        blocks = [self.relation(each, outer) for each in content]
        columns = len(blocks[0].columns)
        if any(len(block.columns) != columns for block in blocks):
            raise PlanError(f"expected as many columns in all relations under {kind}")
        return self.blocks.united(blocks, _SETS[kind], columns) if len(blocks) > 1 else blocks[0]

    def _distinct(self, content: Any, outer: Scope) -> Block:
        group = _as_group(content, len(outer))
        if group is not None:
            return self._grouped(*group, outer)
        return self.blocks.distinct(self.relation(content, outer))

    def _values(self, content: Any, outer: Scope) -> Block:
        rows = [tuple(self.expression(each, outer) for each in row) for row in part(content, "content", list)]
        return self.blocks.of_rows(rows, tuple(map(sql_type, part(content, "schema", list))))

    def _grouped(self, source: Any, keys: list[Any] | None, functions: list[Any], outer: Scope) -> Block:
        """One row for each group; without keys one row for all, even if there is nothing."""
        block = self.blocks.for_keys(self.relation(source, outer))
        scope = outer + block.columns
        by = tuple(self.expression(key, scope) for key in keys or ())
        aggregates = tuple(self._aggregate(function, scope) for function in functions)
        return self.blocks.grouped(block, by, aggregates, always=keys is None)

    def _aggregate(self, function: Any, scope: Scope) -> str:
        operands = [self.expression(each, scope) for each in part(function, "operand", list)]
        return aggregate(
            part(function, "operator", str),
            operands,
            function.get("type"),
            distinct=bool(function.get("distinct")),
            condition=None,
        )

    def _sort(self, content: Any, outer: Scope) -> Block:
        source = self.relation(part(content, "source", dict), outer)
        limit, offset = (
            None if content.get(name) is None else self.expression(content[name], outer) for name in ("limit", "offset")
        )
        order = tuple(f"c{each[0]}{_direction(each[2])}" for each in part(content, "collation", list))
        return self.blocks.limited(source, order, limit, offset)

    def expression(self, node: Any, scope: Scope) -> str:
        if not isinstance(node, dict):
            raise PlanError(f"expected an expression, got {shown(node)}")
        if "column" in node:
            number = node["column"]
            if not isinstance(number, int) or not 0 <= number < len(scope):
                raise PlanError(f"expected the number of one of {len(scope)} columns, got {shown(number)}")
            return scope[number]
        operator, given = part(node, "operator", str), part(node, "operand", list)
        operands = [self.expression(each, scope) for each in given]
        if "query" in node:
            return self._subquery(operator.upper(), operands, node["query"], scope)
        kind = node.get("type")
        kinds = [each.get("type") for each in given]
        if not operands and operator.upper() not in ("AND", "OR"):
            known = literal(operator, part(node, "type", str))
        else:
            known = call(operator, operands, kind, kinds)
        return self.functions.call(operator, operands, kinds, kind) if known is None else known

    def _subquery(self, operator: str, operands: list[str], query: Any, scope: Scope) -> str:
        block = self.relation(query, scope)
        tested = f"({', '.join(operands)})" if len(operands) > 1 else "".join(operands)
        match operator:
            case "EXISTS":
                return f"(EXISTS ({block.query}))"
            case "IN" | "NOT IN" if operands:
                return f"({tested} {operator} ({block.query}))"
            case "$SCALAR_QUERY" | "SCALAR_QUERY" | "SUBQUERY" if not operands:
                return f"({block.query})"
        raise PlanError(f"the query under {operator} is not known here")


def _direction(order: str) -> str:
    upper = order.upper()
    for ending, nulls in _NULLS.items():
        if upper.endswith(ending):
            return _ORDERS.get(upper.removesuffix(ending), "") + nulls
    if upper not in _ORDERS:
        raise PlanError(f"the order {order} is not known here")
    return _ORDERS[upper]


def _as_group(content: Any, level: int) -> tuple[Any, list[Any], list[Any]] | None:
    """Source, keys and functions, if these relations are how a GROUP BY is written; its keys are equal as values are.

    The format has rows of keys, and for each the aggregates over the source where its keys are these. The source is
    written twice, the second time with other numbers of columns.
    """
    try:
        keyed, aggregated = content["correlate"]
        keys, source = keyed["project"]["target"], keyed["project"]["source"]
        functions, filtered = aggregated["aggregate"]["function"], aggregated["aggregate"]["source"]["filter"]
        conditions = _conjuncts(filtered["condition"])
    except (KeyError, TypeError, ValueError):
        return None
    lowered = _lowered(filtered["source"], level, len(keys))
    pairs = [_equal_columns(condition) for condition in conditions]
    wanted = [(level + i, key.get("column", -1) + len(keys)) for i, key in enumerate(keys)]
    if pairs != wanted or lowered != source:
        return None
    return source, keys, _lowered(functions, level, len(keys))


def _conjuncts(condition: Any) -> list[Any]:
    operator = str(condition.get("operator", "")).upper()
    if operator == "AND":
        return [each for operand in condition["operand"] for each in _conjuncts(operand)]
    return [] if operator == "TRUE" and not condition.get("operand") else [condition]


def _equal_columns(condition: Any) -> tuple[int, int] | None:
    if condition.get("operator") not in ("=", "<=>", "EQ", "IS") or len(condition.get("operand", ())) != 2:
        return None
    left, right = (operand.get("column") for operand in condition["operand"])
    return left, right


def _lowered(node: Any, level: int, by: int) -> Any:
    """The same with the columns of the keys, `by` from `level` on, taken out of the numbering."""
    if isinstance(node, list):
        return [_lowered(each, level, by) for each in node]
    if not isinstance(node, dict):
        return node
    found = {key: _lowered(value, level, by) for key, value in node.items()}
    if isinstance(found.get("column"), int) and found["column"] >= level:
        found["column"] = found["column"] - by if found["column"] >= level + by else -1
    return found
