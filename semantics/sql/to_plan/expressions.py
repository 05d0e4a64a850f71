"""Expressions of the language into typed expressions over the columns of a stage."""

from collections.abc import Callable, Iterable
from difflib import get_close_matches
from functools import reduce
from typing import Final
from typing import cast as cast_to

from sqlglot import exp

from semantics import expression as expr
from semantics.expression import Expression
from semantics.functions.table import BY_NAME, call_of
from semantics.sql.catalogue import BUILT_IN, find
from semantics.sql.constants import array, cast, number, typed_text
from semantics.sql.errors import blaming, one_of, wrong
from semantics.sql.grammar.nodes import ArrayOf, CalledAggregate, IntervalText, OverCall, RowOf, TypedText
from semantics.sql.intervals import interval_text
from semantics.sql.literals import as_meant
from semantics.sql.parts import field_of, row_value
from semantics.sql.to_plan.aggregate_calls import called, is_aggregate, is_subquery
from semantics.sql.to_plan.row_values import is_row, paired, rows_compared
from semantics.sql.to_plan.visible_columns import Stage
from semantics.sql.type_names import sql_type
from semantics.value import NULL, Type

ARITHMETIC: Final[dict[type[exp.Expr], expr.ArithmeticSymbol]] = {
    exp.Add: "+",
    exp.Sub: "-",
    exp.Mul: "*",
    exp.Div: "/",
    exp.Mod: "MOD",
}
COMPARISON: Final[dict[type[exp.Expr], expr.ComparisonSymbol]] = {
    exp.EQ: "=",
    exp.NEQ: "<>",
    exp.LT: "<",
    exp.LTE: "<=",
    exp.GT: ">",
    exp.GTE: ">=",
}
Nested = Callable[[exp.Expr, Stage], Expression]
"""How the value of a subquery is made a column of a stage."""


class Expressions:
    """Translates what one stage can see; subqueries become columns of its plan on the way."""

    def __init__(self, stage: Stage, nested: Nested) -> None:
        self.stage = stage
        self.nested = nested

    def predicate(self, node: exp.Expr) -> Expression:
        """An expression that is TRUE, FALSE or unknown."""
        found = self.of(node, Type.BOOL)
        if found.type is not Type.BOOL:
            raise wrong(
                node, f"a condition must be BOOLEAN, got {sql_type(found.type)}", "a comparison or another predicate"
            )
        return found

    def of(self, node: exp.Expr, hint: Type | None = None) -> Expression:
        """Any expression; NULL alone takes the type that is hinted at, and is an INT where nothing is."""
        node = unwrapped(node)
        known = self.stage.known(node)
        if known is not None:
            return known
        if is_subquery(node):
            return self.nested(node, self.stage)
        if isinstance(node, exp.Null):
            return expr.Constant(NULL, hint or Type.INT)
        with blaming(node, _operands_of(node)):
            return self._made(node)

    def _made(self, node: exp.Expr) -> Expression:
        match node:
            case exp.Column():
                return self.stage.column(node)
            case exp.Literal():
                return expr.Constant(str(node.name), Type.STR) if node.is_string else number(node, node.name)
            case exp.Boolean():
                return expr.Constant(bool(node.this), Type.BOOL)
            case exp.Cast():
                return cast(node, self.of)
            case TypedText():
                return typed_text(node)
            case IntervalText():
                return interval_text(node)
            case ArrayOf():
                return array(node, self.alike)
            case RowOf():
                return row_value([self.of(part) for part in node.expressions])
            case exp.Dot():
                return field_of(self.of(node.this), node.expression)
            case exp.Bracket():
                given = [self.of(node.this), self.of(node.expressions[0])]
                return cast_to(Expression, call_of("array_get", given))
            case exp.Neg(this=operand):
                is_number = isinstance(operand, exp.Literal) and not operand.is_string
                return number(node, f"-{operand.name}") if is_number else expr.Negation(self.of(operand))
            case exp.Anonymous():
                return self._call(node)
            case OverCall():
                raise wrong(node, "OVER cannot stand here", "OVER among the columns of SELECT")
            case exp.Case():
                return self._case(node)
            case exp.DPipe():
                return cast_to(Expression, call_of("concat", self._given(_joined(node))))
            case _ if type(node) in ARITHMETIC:
                return expr.Arithmetic(ARITHMETIC[type(node)], *self._pair(node))
            case _:
                return self._truth(node)

    def _truth(self, node: exp.Expr) -> Expression:
        match node:
            case exp.And():
                return expr.And(self.predicate(node.this), self.predicate(node.expression))
            case exp.Or():
                return expr.Or(self.predicate(node.this), self.predicate(node.expression))
            case exp.Not(this=exp.Is(this=operand, expression=exp.Boolean() as unwanted)):
                return expr.IsDistinct(self.predicate(operand), expr.Constant(bool(unwanted.this), Type.BOOL))
            case exp.Not():
                return expr.Not(self.predicate(node.this))
            case exp.Is():
                return self._is(node)
            case exp.NullSafeNEQ():
                return expr.IsDistinct(*self._pair(node))
            case exp.In() if is_row(node.this):
                return reduce(expr.Or, [self._rows("=", node.this, option) for option in node.expressions])
            case exp.In():
                operand, *options = self.alike([node.this, *node.expressions])
                return expr.In(operand, tuple(options))
            case exp.Between():
                operand, low, high = self.alike([node.this, node.args["low"], node.args["high"]])
                return expr.And(expr.Comparison(">=", operand, low), expr.Comparison("<=", operand, high))
            case exp.Like():
                return expr.Like(self.of(node.this, Type.STR), self.of(node.expression, Type.STR))
            case exp.Escape():
                inner = node.this
                escape = node.expression.name
                return expr.Like(self.of(inner.this, Type.STR), self.of(inner.expression, Type.STR), escape)
            case _ if type(node) in COMPARISON and (is_row(node.this) or is_row(node.expression)):
                return self._rows(COMPARISON[type(node)], node.this, node.expression)
            case _ if type(node) in COMPARISON:
                return expr.Comparison(COMPARISON[type(node)], *self._pair(node))
            case _:
                what = "a row of values" if isinstance(node, exp.Tuple) else "this"
                raise wrong(node, f"{what} cannot stand in an expression", "an expression")

    def _rows(self, symbol: expr.ComparisonSymbol, left: exp.Expr, right: exp.Expr) -> Expression:
        """Two row values compared."""
        pairs = [self.alike([mine, theirs]) for mine, theirs in paired(left, right)]
        return rows_compared(symbol, [pair[0] for pair in pairs], [pair[1] for pair in pairs], left)

    def _pair(self, node: exp.Expr) -> tuple[Expression, Expression]:
        left, right = self.alike([node.this, node.expression])
        return left, right

    def alike(self, nodes: list[exp.Expr]) -> list[Expression]:
        """All of them; a NULL alone takes its type from the first of the others."""
        typed = [node for node in nodes if not isinstance(unwrapped(node), exp.Null)]
        found = {id(node): self.of(node) for node in typed}
        hint = found[id(typed[0])].type if typed else None
        values = [found[id(node)] if id(node) in found else self.of(node, hint) for node in nodes]
        return as_meant([unwrapped(node) for node in nodes], values)

    def _is(self, node: exp.Is) -> Expression:
        """IS NULL; IS TRUE and IS FALSE are never unknown."""
        if isinstance(node.expression, exp.Null):
            return expr.IsNull(self.of(node.this))
        wanted = expr.Constant(bool(node.expression.this), Type.BOOL)
        return expr.Not(expr.IsDistinct(self.predicate(node.this), wanted))

    def _case(self, node: exp.Case) -> Expression:
        operand, branches, default = node.this, node.args["ifs"], node.args.get("default") or exp.Null()
        results = self.alike([*(branch.args["true"] for branch in branches), default])
        if operand:
            value, *others = self.alike([operand, *(branch.this for branch in branches)])
            conditions: list[Expression] = [expr.Comparison("=", value, other) for other in others]
        else:
            conditions = [self.predicate(branch.this) for branch in branches]
        return expr.Case(tuple(zip(conditions, results, strict=False)), results[-1])

    def _call(self, node: exp.Anonymous) -> Expression:
        name, arguments = called(node), node.expressions
        if is_aggregate(node, self.stage.context.catalogue):
            raise wrong(node, f"aggregate {name.upper()} cannot stand here", "aggregates in SELECT or HAVING only")
        if isinstance(node, CalledAggregate):
            raise wrong(node, f"{name} is no aggregate", "no ORDER BY, WITHIN GROUP or FILTER")
        for argument in arguments:
            if isinstance(argument, exp.Star | exp.Distinct):
                raise wrong(argument, f"{name} is no aggregate", "expressions as arguments")
        if name.upper() == "COALESCE" and arguments:
            return expr.Coalesce(tuple(self.alike(arguments)))
        if name.upper() == "NOW" and not arguments:
            return expr.Now()
        if name.upper() == "MOD" and len(arguments) == 2:
            left, right = self.alike(arguments)
            return expr.Arithmetic("MOD", left, right)
        return self._user(node) if find(self.stage.context.catalogue.functions, name) else self._built_in(node)

    def _built_in(self, node: exp.Anonymous) -> Expression:
        made = call_of(called(node), self._given(node.expressions))
        return self._user(node) if made is None else made

    def _given(self, arguments: list[exp.Expr]) -> list[Expression | None]:
        """Arguments; NULL alone takes the type that the function asks for."""
        return [None if isinstance(unwrapped(one), exp.Null) else self.of(one) for one in arguments]

    def _user(self, node: exp.Anonymous) -> Expression:
        name, functions = called(node), self.stage.context.catalogue.functions
        function = find(functions, name)
        if function is None:
            known = one_of(_known(name, functions))
            raise wrong(node, f"unknown function {name}, arguments: {len(node.expressions)}", known)
        if len(function.parameters) != len(node.expressions):
            raise wrong(node, f"{name}: arguments: {len(node.expressions)}", f"arguments: {len(function.parameters)}")
        pairs = zip(node.expressions, function.parameters, strict=True)
        return expr.Call(function, tuple(self.of(argument, parameter) for argument, parameter in pairs))


def _known(name: str, functions: Iterable[str]) -> list[str]:
    """Functions that may be meant: those of the user, those with similar names, and the commonest."""
    near = [] if name.upper() in BUILT_IN else get_close_matches(name.lower(), BY_NAME, n=3, cutoff=0.7)
    return [
        "COALESCE(…)",
        "MOD(a, b)",
        "CAST(… AS type)",
        "NOW()",
        *functions,
        *(other.upper() + "(…)" for other in near),
    ]


def _operands_of(node: exp.Expr) -> str:
    """What types the operands of this node must have."""
    if type(node) in ARITHMETIC or isinstance(node, exp.Neg):
        return "INT or FLOAT"
    if isinstance(node, exp.Like | exp.Escape):
        return "TEXT on both sides, and one character behind ESCAPE"
    if isinstance(node, exp.DPipe):
        return "TEXT on both sides"
    if isinstance(node, exp.Bracket):
        return "an ARRAY, and the number of an element"
    if isinstance(node, exp.Anonymous) and called(node).upper() != "COALESCE":
        return "arguments of the function's types"
    return "operands of one type; INT and FLOAT go together"


def _joined(node: exp.Expr) -> list[exp.Expr]:
    """What stands between the signs of `a || b || c`."""
    return [*_joined(node.this), node.expression] if isinstance(node, exp.DPipe) else [node]


def unwrapped(node: exp.Expr) -> exp.Expr:
    """An expression without the parentheses around it."""
    while isinstance(node, exp.Paren):
        node = node.this
    return node
