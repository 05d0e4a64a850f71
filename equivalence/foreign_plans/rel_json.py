"""Plans of Calcite as its RelJsonWriter writes them: `{"rels": [...]}`, each relation after its inputs.

Of a table only the name is in the plan. Its columns, in their order, come from the declarations.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from equivalence.foreign_plans.block import Block, Blocks
from equivalence.foreign_plans.calls import NULL, aggregate, call, literal
from equivalence.foreign_plans.errors import PlanError, has_query, part, shown
from equivalence.foreign_plans.pair import PairOfPlans
from equivalence.foreign_plans.sql_types import sql_type
from equivalence.foreign_plans.unknown_functions import UnknownFunctions
from semantics.sql import Catalogue, Declaration, read_script

_KINDS: Final = (
    *("TableScan", "Filter", "Project", "Join", "Aggregate", "Sort", "Union", "Intersect", "Minus", "Values"),
    *("Correlate", "Limit"),
)
_SETS: Final = {"Union": "UNION", "Intersect": "INTERSECT", "Minus": "EXCEPT"}
_JOINS: Final = ("INNER", "LEFT", "RIGHT", "FULL", "SEMI", "ANTI")
_DIRECTIONS: Final = {"ASCENDING": "", "DESCENDING": " DESC"}
_QUERIES: Final = ("EXISTS", "IN", "NOT IN", "$SCALAR_QUERY")
_TRUTH_VALUES: Final = ("=", "<>", "<", ">", "<=", ">=", "AND", "OR", "NOT", "IS NULL", "IS NOT NULL")
_BOUNDS: Final = {
    "atLeast": (">=",),
    "greaterThan": (">",),
    "atMost": ("<=",),
    "lessThan": ("<",),
    "singleton": ("=",),
    "closed": (">=", "<="),
    "closedOpen": (">=", "<"),
    "openClosed": (">", "<="),
    "open": (">", "<"),
}


def is_rel_json(document: object) -> bool:
    return isinstance(document, dict) and isinstance(document.get("rels"), list)


def read_rel_json(left: Mapping[str, Any], right: Mapping[str, Any], declared: str) -> PairOfPlans:
    """Two plans over tables that CREATE statements declare; a PlanError says what cannot be read."""
    tables = read_script(declared)
    functions = UnknownFunctions()
    try:
        q1, q2 = (_Reader(tables, functions, Blocks()).plan(plan, {}).block.query for plan in (left, right))
    except RecursionError:
        raise PlanError("the plans are nested too deeply") from None
    return PairOfPlans(declared, q1, q2, tuple(functions.made.values()))


@dataclass(frozen=True)
class _Rel:
    """A relation, with what its columns are called, and their types where they are known."""

    block: Block
    names: tuple[str, ...]
    types: tuple[str | None, ...]

    def with_block(self, block: Block) -> "_Rel":
        return _Rel(block, self.names, self.types)

    def beside(self, other: "_Rel", block: Block) -> "_Rel":
        return _Rel(block, self.names + other.names, self.types + other.types)


_Outer = Mapping[str, _Rel]
"""The rows that a correlation variable stands for."""


@dataclass
class _Reader:
    tables: Catalogue
    functions: UnknownFunctions
    blocks: Blocks
    known: dict[str, _Rel] = field(default_factory=dict)

    def plan(self, document: Any, outer: _Outer) -> _Rel:
        """The last of its relations. A plan inside another one has numbers of its own."""
        rels = part(document, "rels", list)
        if not rels:
            raise PlanError("expected a plan with relations, got none")
        inner = _Reader(self.tables, self.functions, self.blocks)
        nodes = {str(part(rel, "id", (str, int))): rel for rel in rels}
        inputs = _inputs(rels)
        return inner._relation(str(rels[-1]["id"]), nodes, inputs, outer)

    def _relation(
        self, number: str, nodes: Mapping[str, Any], inputs: Mapping[str, Sequence[str]], outer: _Outer
    ) -> _Rel:
        if number not in nodes:
            raise PlanError(f"there is no relation with the id {number}")
        node = nodes[number]
        kind = _kind(part(node, "relOp", str))
        if kind == "Correlate":
            first, second = inputs[number]
            left = self._relation(first, nodes, inputs, outer)
            left = left.with_block(self.blocks.ungrouped(left.block))
            variable = _variable(node.get("correlation"))
            right = self._relation(second, nodes, inputs, {**outer, variable: left})
            how = part(node, "joinType", str).upper()
            block = self.blocks.correlated(how, left.block, right.block)
            return left.with_block(block) if how in ("SEMI", "ANTI") else left.beside(right, block)
        return self._node(kind, node, [self._relation(each, nodes, inputs, outer) for each in inputs[number]], outer)

    def _node(self, kind: str, node: Any, inputs: list[_Rel], outer: _Outer) -> _Rel:
        match kind:
            case "TableScan":
                return self._scan(node)
            case "Values":
                return self._values(node)
            case "Union" | "Intersect" | "Minus":
                return self._set(kind, node, inputs)
            case "Join":
                return self._join(node, inputs, outer)
            case _ if len(inputs) != 1:
                raise PlanError(f"expected one input of {kind}, got {len(inputs)}")
            case "Filter":
                rel = self._ready(inputs[0], node.get("condition"))
                return rel.with_block(rel.block.having(self._expression(node.get("condition"), rel, node, outer)))
            case "Project":
                return self._project(node, inputs[0], outer)
            case "Aggregate":
                return self._aggregate(node, inputs[0])
        return self._sort(node, inputs[0])

    def _ready(self, rel: _Rel, users: Any) -> _Rel:
        """The relation for expressions; a query in one of these must not see aggregates."""
        return rel.with_block(self.blocks.ungrouped(rel.block)) if has_query(users) else rel

    def _scan(self, node: Any) -> _Rel:
        path = part(node, "table", list)
        found = self.tables.find(str(path[-1])) if path else None
        if not isinstance(found, Declaration):
            raise PlanError(f"the table {'.'.join(map(str, path))} is not declared")
        quoted = tuple(f'"{name}"' for name in found.schema.names)
        types = tuple(str(column.type) for column in found.schema.columns)
        return _Rel(self.blocks.of_table(f'"{found.name}"', quoted), found.schema.names, types)

    def _values(self, node: Any) -> _Rel:
        kinds = node.get("type")
        kinds = kinds.get("fields") if isinstance(kinds, dict) else kinds
        if not isinstance(kinds, list):
            raise PlanError(f"expected rows with types, got {shown(node)}")
        types = tuple(_type_name(each) for each in kinds)
        rows = [
            tuple(self._literal(each, kind) for each, kind in zip(row, types, strict=True))
            for row in part(node, "tuples", list)
        ]
        block = self.blocks.of_rows(rows, tuple(map(sql_type, types)))
        return _Rel(block, tuple(str(each.get("name")) for each in kinds), types)

    def _set(self, kind: str, node: Any, inputs: list[_Rel]) -> _Rel:
        if not inputs:
            raise PlanError(f"expected inputs of {kind}")
        operator = _SETS[kind] + (" ALL" if node.get("all") else "")
        blocks, columns = [rel.block for rel in inputs], len(inputs[0].names)
        return inputs[0].with_block(self.blocks.united(blocks, operator, columns) if len(blocks) > 1 else blocks[0])

    def _join(self, node: Any, inputs: list[_Rel], outer: _Outer) -> _Rel:
        how = part(node, "joinType", str).upper()
        if how not in _JOINS or len(inputs) != 2:
            raise PlanError(f"a join of the kind {how} with {len(inputs)} inputs is not known here")
        left, right = self.blocks.sides(how, inputs[0].block, inputs[1].block)
        both = inputs[0].beside(inputs[1], left.mapped(left.columns + right.columns))
        condition = self._expression(node.get("condition"), both, node, outer)
        if how in ("SEMI", "ANTI"):
            return inputs[0].with_block(left.matched(right.having(condition), negated=how == "ANTI"))
        return both.with_block(self.blocks.joined(how, left, right, condition))

    def _project(self, node: Any, rel: _Rel, outer: _Outer) -> _Rel:
        if rel.block.is_long:
            rel = rel.with_block(self.blocks.closed(rel.block))
        exprs = part(node, "exprs", list)
        rel = self._ready(rel, exprs)
        columns = tuple(self._expression(each, rel, node, outer) for each in exprs)
        names = node.get("fields") or [f"$f{i}" for i in range(len(columns))]
        return _Rel(rel.block.mapped(columns), tuple(names), tuple(_type_of(each, rel) for each in exprs))

    def _aggregate(self, node: Any, rel: _Rel) -> _Rel:
        """Of several grouping sets each is a query of its own, whose other keys are NULL."""
        group = part(node, "group", list)
        rel = rel.with_block(self.blocks.for_keys(rel.block))
        columns = rel.block.columns
        calls = tuple(self._call(each, columns) for each in part(node, "aggs", list))
        names = tuple(rel.names[i] for i in group) + tuple(each.get("name") or "" for each in node["aggs"])
        sets = [list(keys) for keys in node.get("groups") or [group]]
        blocks = [self._grouping_set(rel.block, group, keys, calls) for keys in sets]
        types = tuple(rel.types[i] for i in group) + tuple(_type_of(each, rel) for each in node["aggs"])
        united = blocks[0] if len(blocks) == 1 else self.blocks.united(blocks, "UNION ALL", len(names))
        return _Rel(united, names, types)

    def _grouping_set(self, block: Block, group: list[int], keys: list[int], calls: tuple[str, ...]) -> Block:
        made = self.blocks.grouped(block, tuple(block.columns[i] for i in keys), calls, always=True)
        if keys == group:
            return made
        made = self.blocks.closed(made)
        places = {key: place for place, key in enumerate(keys)}
        padded = tuple(made.columns[places[key]] if key in places else NULL for key in group)
        return made.mapped(padded + made.columns[len(keys) :])

    def _call(self, node: Any, columns: tuple[str, ...]) -> str:
        if node.get("collation") or node.get("approximate") or node.get("distinctKeys"):
            raise PlanError("aggregates in an order, approximate ones and those of distinct keys are not known here")
        condition = node.get("filter")
        return aggregate(
            _operator(part(node, "agg", (str, dict))),
            [columns[i] for i in part(node, "operands", list)],
            _type_name(node.get("type")),
            distinct=bool(node.get("distinct")),
            condition=columns[condition] if isinstance(condition, int) and condition >= 0 else None,
        )

    def _sort(self, node: Any, rel: _Rel) -> _Rel:
        order = tuple(f"c{each['field']}{_direction(each)}" for each in node.get("collation") or ())
        limit, offset = (
            None if node.get(name) is None else self._literal(node[name], "INTEGER") for name in ("fetch", "offset")
        )
        return rel.with_block(self.blocks.limited(rel.block, order, limit, offset))

    def _literal(self, node: Any, kind: str) -> str:
        value = node.get("literal") if isinstance(node, dict) else node
        text = NULL if value is None else str(value)
        known = literal(text, kind)
        return self.functions.call(text, (), (), kind) if known is None else known

    def _expression(self, node: Any, rel: _Rel, user: Any, outer: _Outer) -> str:
        """The text over the columns of a relation. Queries in it see these, by the variables that the user declares."""
        match node:
            case {"window": _}:
                raise PlanError("OVER in a plan is not known here")
            case {"input": int(number)}:
                if not 0 <= number < len(rel.block.columns):
                    raise PlanError(f"expected the number of one of {len(rel.block.columns)} columns, got {number}")
                return rel.block.columns[number]
            case {"literal": _}:
                return self._literal(node, _literal_type(node))
            case {"field": str(name), "expr": {"correl": str(variable)}}:
                return _field(name, variable, outer)
            case {"op": op, "operands": list(given)}:
                return self._operation(_operator(op), given, node, rel, user, outer)
        raise PlanError(f"expected an expression, got {shown(node)}")

    def _operation(self, operator: str, given: list[Any], node: Any, rel: _Rel, user: Any, outer: _Outer) -> str:
        if operator == "SEARCH" and len(given) == 2:
            return _searched(self._expression(given[0], rel, user, outer), given[1])
        operands = [self._expression(each, rel, user, outer) for each in given]
        query = node.get("subquery") or node.get("query")
        if query is not None:
            variables = {_variable(each): rel for each in user.get("variablesSet") or _unbound(query, outer)}
            return _queried(operator, operands, self.plan(query, {**outer, **variables}).block)
        kinds = [_type_of(each, rel) for each in given]
        kind = _type_of(node, rel)
        if kind is None and operator == "CAST":
            raise PlanError("expected a CAST with a type")
        known = call(operator, operands, kind, kinds)
        return self.functions.call(operator, operands, kinds, kind) if known is None else known


def _inputs(rels: list[Any]) -> dict[str, list[str]]:
    """The inputs of each relation; where none are named, it is the relation before, if there is one."""
    found, before = dict[str, list[str]](), list[str]()
    for rel in rels:
        named = rel.get("inputs")
        number = str(rel["id"])
        found[number] = before if named is None and not _is_leaf(rel) else [str(each) for each in named or ()]
        before = [number]
    return found


def _is_leaf(rel: Any) -> bool:
    return _kind(part(rel, "relOp", str)) in ("TableScan", "Values")


def _kind(operator: str) -> str:
    name = operator.rpartition(".")[2]
    for kind in _KINDS:
        if name.endswith(kind):
            return kind
    raise PlanError(f"the relation {name} is not known here")


def _operator(given: Any) -> str:
    return given if isinstance(given, str) else str(part(given, "name", str))


def _variable(given: Any) -> str:
    """A correlation variable: a number, or a name that ends with it."""
    return str(given).removeprefix("$cor")


def _field(name: str, variable: str, outer: _Outer) -> str:
    rel = outer.get(_variable(variable))
    if rel is None or rel.names.count(name) != 1:
        raise PlanError(f"the column {name} of {variable} is not one column of rows around")
    return rel.block.columns[rel.names.index(name)]


def _unbound(node: Any, outer: _Outer) -> set[str]:
    """Variables of a query that nothing around declares; older plans do not say whose they are."""
    if isinstance(node, list):
        return {variable for each in node for variable in _unbound(each, outer)}
    if not isinstance(node, dict):
        return set()
    mine = {str(node["correl"])} if isinstance(node.get("correl"), str) else set[str]()
    inner = {_variable(node["correlation"])} if "correlation" in node else set[str]()
    found = mine.union(*(_unbound(each, outer) for each in node.values()))
    return {each for each in found if _variable(each) not in outer and _variable(each) not in inner}


def _queried(operator: str, operands: list[str], block: Block) -> str:
    tested = f"({', '.join(operands)})" if len(operands) > 1 else "".join(operands)
    match operator.upper():
        case "EXISTS":
            return f"(EXISTS ({block.query}))"
        case "IN" | "NOT IN" if operands:
            return f"({tested} {operator.upper()} ({block.query}))"
        case "$SCALAR_QUERY" if not operands:
            return f"({block.query})"
    raise PlanError(f"the query under {operator} is not known here; expected one of {', '.join(_QUERIES)}")


def _searched(tested: str, ranges: Any) -> str:
    """SEARCH: whether a value lies in one of some ranges, as `x IN (1, 2)` becomes."""
    given = ranges.get("literal") if isinstance(ranges, dict) else None
    if not isinstance(given, dict) or given.get("nullAs", "UNKNOWN") not in ("UNKNOWN", "TRUE", "FALSE"):
        raise PlanError(f"expected ranges, got {shown(ranges)}")
    kind = _type_name(ranges.get("type"))
    texts = []
    for name, *bounds in part(given, "rangeSet", list):
        signs = _BOUNDS.get(name)
        constants = [literal(str(bound), kind) for bound in bounds]
        if signs is None or len(signs) != len(bounds) or None in constants:
            raise PlanError(f"the range {name} is not known here")
        texts.append(" AND ".join(f"({tested} {s} {c})" for s, c in zip(signs, constants, strict=True)))
    inside = "(" + (" OR ".join(f"({text})" for text in texts) or "FALSE") + ")"
    match given.get("nullAs", "UNKNOWN"):
        case "TRUE":
            return f"(({tested} IS NULL) OR {inside})"
        case "FALSE":
            return f"(({tested} IS NOT NULL) AND {inside})"
    return inside


def _direction(order: Any) -> str:
    direction, nulls = part(order, "direction", str), str(order.get("nulls", "")).upper()
    if direction not in _DIRECTIONS:
        raise PlanError(f"the order {direction} is not known here")
    return _DIRECTIONS[direction] + (f" NULLS {nulls}" if nulls in ("FIRST", "LAST") else "")


def _type_of(node: Any, rel: _Rel) -> str | None:
    match node:
        case {"literal": _}:
            return _literal_type(node)
        case {"input": int(number)} if number < len(rel.types):
            return rel.types[number]
        case {"type": given}:
            return _type_name(given)
        case {"op": op} if _operator(op) in _TRUTH_VALUES:
            return "BOOLEAN"
    return None


def _type_name(given: Any) -> str:
    """The type with its digits: `{"type": "DECIMAL", "precision": 7, "scale": 2}`."""
    if isinstance(given, str):
        return given
    name = str(part(given, "type", str))
    if name in ("ARRAY", "MULTISET", "MAP", "ROW", "STRUCT"):
        raise PlanError(f"values of the type {name} are not known here")
    precision, scale = given.get("precision"), given.get("scale")
    if name not in ("DECIMAL", "CHAR", "VARCHAR") or precision is None or precision < 0:
        return name
    return f"{name}({precision}, {scale or 0})" if name == "DECIMAL" else f"{name}({precision})"


def _literal_type(node: Any) -> str:
    if "type" in node:
        return _type_name(node["type"])
    value = node["literal"]
    if isinstance(value, bool):
        return "BOOLEAN"
    return "INTEGER" if isinstance(value, int) else "DOUBLE" if isinstance(value, float) else "VARCHAR"
