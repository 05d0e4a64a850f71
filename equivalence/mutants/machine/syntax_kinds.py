"""What can be changed in a piece of syntax: one small function per kind of change."""

import ast
from collections.abc import Callable, Iterator, Mapping
from copy import deepcopy
from typing import Final, TypeVar

Kind = Callable[[ast.AST, frozenset[str]], Iterator[ast.AST]]
"""From a node and the names that its function uses to the nodes that may take its place."""

N = TypeVar("N", bound=ast.AST)

BOUNDARIES: Final[Mapping[type, type]] = {ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt}
NEGATIONS: Final[Mapping[type, type]] = {
    ast.Lt: ast.GtE,
    ast.GtE: ast.Lt,
    ast.Gt: ast.LtE,
    ast.LtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
}
OTHER_ARITHMETIC: Final[Mapping[type, type]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Add,
    ast.FloorDiv: ast.Mult,
    ast.Div: ast.Mult,
    ast.Mod: ast.FloorDiv,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
    ast.BitXor: ast.BitOr,
    ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
}
_PAIRS: Final = (
    *(("start", "end"), ("starts", "ends"), ("left", "right"), ("low", "high"), ("first", "last")),
    *(("since", "until"), ("earlier", "later"), ("own", "other"), ("mine", "theirs"), ("gain", "loss")),
    *(("left_start", "right_start"), ("left_end", "right_end"), ("enter", "leave"), ("before", "after")),
)
COUNTERPARTS: Final = {one: other for a, b in _PAIRS for one, other in ((a, b), (b, a))}
_FUNCTION_PAIRS: Final = (
    *(("min", "max"), ("minimum", "maximum"), ("fmin", "fmax"), ("argmin", "argmax"), ("any", "all")),
    *(("zeros", "ones"), ("zeros_like", "ones_like"), ("floor", "ceil"), ("append", "extend")),
)
OTHER_FUNCTIONS: Final = {one: other for a, b in _FUNCTION_PAIRS for one, other in ((a, b), (b, a))}
ORDERED_BY_TYPE: Final = frozenset({"isinstance", "issubclass", "cast", "getattr", "hasattr", "range", "TypeVar"})
"""Functions whose arguments cannot be swapped: the result would fail at once, whatever a check does."""


def boundary(node: ast.AST, _: frozenset[str]) -> Iterator[ast.AST]:
    """`<` for `<=`, and so on."""
    yield from _with_other_comparison(node, BOUNDARIES)


def negated_comparison(node: ast.AST, _: frozenset[str]) -> Iterator[ast.AST]:
    """`>=` for `<`, `is not` for `is`, and so on."""
    yield from _with_other_comparison(node, NEGATIONS)


def _with_other_comparison(node: ast.AST, others: Mapping[type, type]) -> Iterator[ast.AST]:
    for i, operator in enumerate(node.ops if isinstance(node, ast.Compare) else ()):
        if type(operator) in others:
            assert isinstance(node, ast.Compare)
            changed = deepcopy(node)
            changed.ops[i] = others[type(operator)]()
            yield changed


def negation_dropped(node: ast.AST, _: frozenset[str]) -> Iterator[ast.AST]:
    """`x` for `not x` or `~x`."""
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not | ast.Invert):
        yield node.operand


def and_or(node: ast.AST, _: frozenset[str]) -> Iterator[ast.AST]:
    if isinstance(node, ast.BoolOp):
        yield ast.BoolOp(ast.Or() if isinstance(node.op, ast.And) else ast.And(), node.values)


def operand_dropped(node: ast.AST, _: frozenset[str]) -> Iterator[ast.AST]:
    """One part of a conjunction or disjunction less, be it of truth values or of masks."""
    if isinstance(node, ast.BoolOp):
        for i in range(len(node.values)):
            rest = [value for j, value in enumerate(node.values) if j != i]
            yield rest[0] if len(rest) == 1 else ast.BoolOp(node.op, rest)
    elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitAnd | ast.BitOr):
        yield from (node.left, node.right)


def constant(node: ast.AST, _: frozenset[str]) -> Iterator[ast.AST]:
    """One more or one less; True for False; the other side of a pair of words."""
    if not isinstance(node, ast.Constant):
        return
    if isinstance(node.value, bool):
        yield ast.Constant(not node.value)
    elif isinstance(node.value, int | float):
        yield ast.Constant(node.value + 1)
        yield _number(node.value - 1)
    elif isinstance(node.value, str) and node.value in COUNTERPARTS:
        yield ast.Constant(COUNTERPARTS[node.value])


def _number(value: float) -> ast.expr:
    return ast.Constant(value) if value >= 0 else ast.UnaryOp(ast.USub(), ast.Constant(-value))


def slice_bound(node: ast.AST, _: frozenset[str]) -> Iterator[ast.AST]:
    """A slice that begins or ends one place earlier or later."""
    if isinstance(node, ast.Slice):
        for other in _moved(node.lower, 1):
            yield ast.Slice(other, node.upper, node.step)
        for other in _moved(node.upper, -1):
            yield ast.Slice(node.lower, other, node.step)


def _moved(bound: ast.expr | None, inwards: int) -> Iterator[ast.expr]:
    """Other bounds; constants have their own kind of mutation."""
    if bound is None:
        yield _number(inwards)
    elif not isinstance(bound, ast.Constant):
        yield ast.BinOp(bound, ast.Add(), ast.Constant(1))
        yield ast.BinOp(bound, ast.Sub(), ast.Constant(1))


def arithmetic(node: ast.AST, _: frozenset[str]) -> Iterator[ast.AST]:
    """`+` for `-`, `<<` for `>>`, and so on."""
    if isinstance(node, ast.BinOp | ast.AugAssign) and type(node.op) in OTHER_ARITHMETIC:
        changed = deepcopy(node)
        changed.op = OTHER_ARITHMETIC[type(node.op)]()
        yield changed


def sign_dropped(node: ast.AST, _: frozenset[str]) -> Iterator[ast.AST]:
    """`x` for `-x`; the signs of constants are left alone, they have their own kind of mutation."""
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub) and not isinstance(node.operand, ast.Constant):
        yield node.operand


def arguments_swapped(node: ast.AST, _: frozenset[str]) -> Iterator[ast.AST]:
    """Two neighbouring arguments in the other order."""
    if not isinstance(node, ast.Call) or called(node) in ORDERED_BY_TYPE or called(node) in OTHER_FUNCTIONS:
        return
    for i in range(len(node.args) - 1):
        if not any(isinstance(argument, ast.Starred) for argument in node.args[i : i + 2]):
            swapped = [*node.args[:i], node.args[i + 1], node.args[i], *node.args[i + 2 :]]
            yield ast.Call(node.func, swapped, node.keywords)


def other_function(node: ast.AST, _: frozenset[str]) -> Iterator[ast.AST]:
    """`max` for `min`, `any` for `all`, and so on."""
    if isinstance(node, ast.Call) and called(node) in OTHER_FUNCTIONS:
        changed = deepcopy(node)
        if isinstance(changed.func, ast.Name):
            changed.func.id = OTHER_FUNCTIONS[changed.func.id]
        elif isinstance(changed.func, ast.Attribute):
            changed.func.attr = OTHER_FUNCTIONS[changed.func.attr]
        yield changed


def other_side_of_search(node: ast.AST, _: frozenset[str]) -> Iterator[ast.AST]:
    """A binary search that gives the last place instead of the first; where the side is named, it is a constant."""
    if not isinstance(node, ast.Call) or called(node) != "searchsorted":
        return
    if not any(keyword.arg == "side" for keyword in node.keywords):
        yield ast.Call(node.func, node.args, [*node.keywords, ast.keyword("side", ast.Constant("right"))])


SAME_LENGTH: Final = frozenset({"start", "end", "starts", "ends", "since", "until"})
"""Names of arrays of which there is one value for each element."""


def same_length(node: ast.AST) -> bool:
    """Is it the length of one of two arrays that are always of the same length?"""
    match node:
        case ast.Call(func=ast.Name(id="len"), args=[ast.Name(id=name) | ast.Attribute(attr=name)]):
            return name in SAME_LENGTH
        case _:
            return False


def counterpart(node: ast.AST, names: frozenset[str]) -> Iterator[ast.AST]:
    """`end` for `start`, `right` for `left`, and so on."""
    if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
        other = COUNTERPARTS.get(node.id)
        if other in names:
            yield ast.Name(other, ast.Load())
    elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Load) and node.attr in COUNTERPARTS:
        yield ast.Attribute(node.value, COUNTERPARTS[node.attr], ast.Load())


def condition_fixed(node: ast.AST, _: frozenset[str]) -> Iterator[ast.AST]:
    """A condition that always holds, or never does."""
    if isinstance(node, ast.If | ast.IfExp):
        for value in (True, False):
            changed = deepcopy(node)
            changed.test = ast.Constant(value)
            yield changed


def statement_dropped(node: ast.AST, _: frozenset[str]) -> Iterator[ast.AST]:
    """Nothing for a call, a loop, or an assignment to a part of something; names stay bound."""
    match node:
        case ast.Expr(value=ast.Constant() | ast.Yield() | ast.YieldFrom()):
            return
        case ast.Expr() | ast.AugAssign() | ast.For() | ast.While() | ast.Delete():
            yield ast.Pass()
        case ast.Assign(targets=targets) if all(isinstance(t, ast.Attribute | ast.Subscript) for t in targets):
            yield ast.Pass()


def loop_once(node: ast.AST, _: frozenset[str]) -> Iterator[ast.AST]:
    """A loop that ends after its first round."""
    if isinstance(node, ast.For | ast.While):
        changed = deepcopy(node)
        changed.body.append(ast.Break())
        yield changed


def jump(node: ast.AST, _: frozenset[str]) -> Iterator[ast.AST]:
    """`break` for `continue`, and the other way round."""
    if isinstance(node, ast.Continue):
        yield ast.Break()
    elif isinstance(node, ast.Break):
        yield ast.Continue()


def returned_early(node: ast.AST, _: frozenset[str]) -> Iterator[ast.AST]:
    """A function without a result that leaves before its last statement."""
    if not isinstance(node, ast.FunctionDef) or len(_without_docstring(node)) < 2:
        return
    if not any(isinstance(inner, ast.Return | ast.Yield | ast.YieldFrom) for inner in ast.walk(node)):
        changed = deepcopy(node)
        changed.body[-1] = ast.Return(None)
        yield changed


def _without_docstring(function: ast.FunctionDef) -> list[ast.stmt]:
    return function.body[ast.get_docstring(function) is not None :]


def called(call: ast.Call) -> str:
    """The last part of the name of what is called."""
    match call.func:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
        case _:
            return ""


KINDS: Final[Mapping[str, Kind]] = {
    kind.__name__.replace("_", " "): kind
    for kind in (
        boundary,
        negated_comparison,
        negation_dropped,
        and_or,
        operand_dropped,
        constant,
        slice_bound,
        arithmetic,
        sign_dropped,
        arguments_swapped,
        other_function,
        other_side_of_search,
        counterpart,
        condition_fixed,
        statement_dropped,
        loop_once,
        jump,
        returned_early,
    )
}
