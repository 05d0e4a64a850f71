"""What an engine says of itself in its first answer, and which plans follow from it."""

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from typing import Final, Literal, cast, get_args

from equivalence.verdicts.json.reading import DocumentError, read_items, read_members, read_number, read_text
from semantics import Expression, Plan
from semantics import plan as op
from semantics.expression import ArithmeticSymbol, Call, ComparisonSymbol, children
from semantics.functions.definition import BuiltIn, Function
from semantics.functions.table import BY_NAME
from semantics.notation.json_expressions import AGGREGATES, FURTHER_AGGREGATES, OPERATIONS, aggregate_name, operation
from semantics.types import BASIC_TYPES, PLAIN_TYPES
from semantics.value import brief

VERSION: Final = 1
PlanForm = Literal["tree", "sql", "standard_sql", "notation"]
StreamForm = Literal["inline", "csv", "arrow"]
InputKind = Literal["intervals", "events"]
ResultKind = Literal[
    "intervals", "events", "panes", "updates", "retract", "upsert", "debezium", "snapshots", "snapshot"
]

OPERATORS: Final = tuple(operator.__name__ for operator in get_args(Plan))
EXPRESSIONS: Final = tuple(
    name
    for name in (*OPERATIONS.values(), *get_args(ArithmeticSymbol)[:-1], "mod", *get_args(ComparisonSymbol))
    if name != "call"
)
"""User-defined functions are Python, so that no plan with a call is sent."""
FUNCTIONS: Final = tuple(name for name, f in BY_NAME.items() if isinstance(f, Function) and name == f.names[0])
AGGREGATE_NAMES: Final = (*AGGREGATES, *FURTHER_AGGREGATES)
TYPES: Final = tuple(type_.value for type_ in BASIC_TYPES)
"""What an engine knows that does not say which types it knows."""
ALL_TYPES: Final = (*(type_.value for type_ in PLAIN_TYPES), "decimal", "array", "row")
LATEST_INSTANT: Final = 2**62
LONGEST_TEXT: Final = 1000
LONGEST_LIST: Final = 1000


@dataclass(frozen=True)
class Capabilities:
    """An engine's name, the plans that it takes, in which form, and in which form it answers."""

    engine: str
    operators: frozenset[str] = frozenset(OPERATORS)
    expressions: frozenset[str] = frozenset(EXPRESSIONS) - {"cast"}
    aggregates: frozenset[str] = frozenset(AGGREGATES)
    functions: frozenset[str] = frozenset()
    """The built-in functions that it has: none, unless it lists them."""
    types: frozenset[str] = frozenset(TYPES)
    plans: tuple[PlanForm, ...] = ("tree",)
    streams: tuple[StreamForm, ...] = ("inline",)
    inputs: InputKind = "intervals"
    results: tuple[ResultKind, ...] = ("intervals",)
    sessions: bool = False
    lifted: bool = False
    horizon: bool = True
    """Does it stop at the horizon? If not, it is never given what would go on for ever."""
    latest: int | None = None
    """The latest horizon that it takes, if there is one: it may look at every instant."""
    tolerance: float | None = None
    time_limit: float = 0.0
    """Seconds that it asks for one run."""

    def lacking(self, plan: Plan) -> str | None:
        """The first thing in a plan that the engine does not list, the lowest node first."""
        for node in plan.walk(inputs_first=True):
            for kind, name, listed in self._uses(node):
                if name not in listed:
                    return f"{kind} {name!r}"
        return None

    def variety(self, plan: Plan) -> int:
        """How many different operators, operations, aggregates and types a plan has."""
        return len({(kind, name) for node in plan.walk() for kind, name, _ in self._uses(node)})

    def _uses(self, node: Plan) -> Iterator[tuple[str, str, Collection[str]]]:
        yield "operator", node.operator, self.operators
        yield from (("type", column.type.kind, self.types) for column in node.schema.columns)
        own = op.own_aggregates(node)
        yield from (("aggregate", aggregate_name(aggregate), self.aggregates) for aggregate in own)
        parts = [part for expression in node.own_expressions for part in _parts(expression)]
        yield from (self._operation(part) for part in parts)
        yield from (("type", part.type.kind, self.types) for part in parts)

    def _operation(self, part: Expression) -> tuple[str, str, Collection[str]]:
        if isinstance(part, Call) and isinstance(part.function, BuiltIn):
            return "function", part.function.name, self.functions
        return "expression", operation(part), self.expressions


def _parts(expression: Expression) -> Iterator[Expression]:
    yield expression
    for child in children(expression):
        yield from _parts(child)


def read_hello(document: object) -> Capabilities:
    """The capabilities in an answer to `hello`; unknown members are ignored, unknown names in lists are errors."""
    parts = read_members(document, "hello")
    if parts.get("protocol") != VERSION:
        raise DocumentError(f"hello: protocol: expected {VERSION}, got {brief(parts.get('protocol'))}")
    engine = read_text(parts.get("engine"), "hello: engine", LONGEST_TEXT)
    readers = {name: read for name, read in _READERS.items() if parts.get(name) is not None}
    return Capabilities(engine, **{name: read(parts[name], f"hello: {name}") for name, read in readers.items()})  # type: ignore[arg-type]


def _set_of(known: Collection[str]) -> Callable[[object, str], frozenset[str]]:
    return lambda value, where: frozenset(_names(value, where, known))


def _tuple_of(known: object) -> Callable[[object, str], tuple[str, ...]]:
    def read(value: object, where: str) -> tuple[str, ...]:
        names = _names(value, where, get_args(known))
        if not names:
            raise DocumentError(f"{where}: expected at least one of {', '.join(get_args(known))}, got none")
        return tuple(names)

    return read


def _names(value: object, where: str, known: Collection[str]) -> list[str]:
    names = read_items(value, where, LONGEST_LIST)
    strange = [name for name in names if name not in known]
    if strange:
        raise DocumentError(f"{where}: expected some of {', '.join(known)}; got {brief(strange[0])}")
    return cast("list[str]", names)


def _truth(value: object, where: str) -> bool:
    if not isinstance(value, bool):
        raise DocumentError(f"{where}: expected true or false, got {brief(value)}")
    return value


def _number(value: object, where: str) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or value < 0:
        raise DocumentError(f"{where}: expected a number ≥ 0, got {brief(value)}")
    return float(value)


def _whole(value: object, where: str) -> int:
    return read_number(value, where, at_most=LATEST_INSTANT)


def _input_kind(value: object, where: str) -> str:
    return _names([value], where, get_args(InputKind))[0]


_READERS: Final[dict[str, Callable[[object, str], object]]] = {
    "operators": _set_of(OPERATORS),
    "expressions": _set_of(EXPRESSIONS),
    "aggregates": _set_of(AGGREGATE_NAMES),
    "functions": _set_of(FUNCTIONS),
    "types": _set_of(ALL_TYPES),
    "plans": _tuple_of(PlanForm),
    "streams": _tuple_of(StreamForm),
    "inputs": _input_kind,
    "results": _tuple_of(ResultKind),
    "sessions": _truth,
    "lifted": _truth,
    "horizon": _truth,
    "latest": _whole,
    "tolerance": _number,
    "time_limit": _number,
}
