"""The optimizer of sqlglot: every rule alone after `qualify`, which they all need, and all of them in their order."""

from collections.abc import Iterator, Sequence
from functools import cached_property, lru_cache
from importlib import metadata
from zlib import crc32

import sqlglot
from sqlglot import exp
from sqlglot.optimizer import RULES
from sqlglot.optimizer.optimizer import OptimizerFn, optimize
from sqlglot.schema import MappingSchema

from equivalence.fuzzing.relational_schema import RelationalSchema
from equivalence.fuzzing.sql_rewrite import Rewrite, Way
from semantics import SnapeqError
from semantics.sql.errors import one_of

FIRST = "qualify"
IN_ORDER_ONE_IN = 3
"""Of so many queries one goes through all rules in their order, too: most of what is wrong shows in a rule alone."""
NAMES = [str(getattr(rule, "__name__", rule)) for rule in RULES]


class SqlglotOptimizer:
    """All rules are tried, or a single one: still behind those that come before it."""

    name = "sqlglot"
    version = metadata.version("sqlglot")

    def __init__(self, rule: str | None = None) -> None:
        if rule is not None and rule not in NAMES:
            raise SnapeqError(f"sqlglot has no rule {rule}; expected {one_of(NAMES)}")
        self._tried = NAMES if rule is None else [rule]

    @cached_property
    def ways(self) -> tuple[Way, ...]:
        alone = [Way(name) for name in self._tried]
        later = [Way(name, in_order=True) for name in self._tried if name != FIRST]
        return (*alone, *later)

    def rewrites(self, sql: str, schema: RelationalSchema, wanted: Sequence[Way]) -> Iterator[Rewrite]:
        """Rules alone come first: what is wrong with one of them is easier to see there."""
        types = _declared(schema)
        parsed = _parsed(sql)
        qualified = _applied(RULES[0], parsed, types)
        if Way(FIRST) in wanted:
            yield _rewrite(Way(FIRST), parsed.sql(), qualified)
        if isinstance(qualified, str):
            return
        text = qualified.sql()
        for name, rule in zip(NAMES[1:], RULES[1:], strict=True):
            if Way(name) in wanted:
                yield _rewrite(Way(name), text, _applied(rule, qualified, types))
        if len(wanted) == 1 or crc32(sql.encode()) % IN_ORDER_ONE_IN == 0:
            yield from _in_order(qualified, types, wanted)

    def reproduction(self, way: Way, sql: str, schema: RelationalSchema) -> list[str]:
        place = NAMES.index(way.rule)
        if way.in_order:
            before, after, imports = f"RULES[:{place}]", f"RULES[:{place + 1}]", ["RULES"]
        elif way.rule == FIRST:
            before, after, imports = "()", FIRST_ALONE, [FIRST]
        else:
            before, after, imports = FIRST_ALONE, f"({FIRST}, {way.rule})", [FIRST, way.rule]
        return [
            *_imports(imports),
            "from sqlglot.optimizer.optimizer import optimize",
            "",
            f"sql = {sql!r}",
            f"schema = {schema.types!r}",
            f"before = optimize(sql, schema=schema, rules={before}).sql()",
            f"after = optimize(sql, schema=schema, rules={after}).sql()",
        ]


FIRST_ALONE = f"({FIRST},)"


def _imports(names: Sequence[str]) -> list[str]:
    return [
        "from sqlglot.optimizer import RULES" if name == "RULES" else f"from sqlglot.optimizer.{name} import {name}"
        for name in names
    ]


def _parsed(sql: str) -> exp.Expr:
    """The tree without the places of its parts in the text: copies of these would take as long as the rest."""
    tree = sqlglot.parse_one(sql)
    for node in tree.walk():
        node._meta = None
    return tree


@lru_cache(64)
def _declared(schema: RelationalSchema) -> MappingSchema:
    return MappingSchema({**schema.types})


def _in_order(tree: exp.Expr, types: MappingSchema, wanted: Sequence[Way]) -> Iterator[Rewrite]:
    """Each rule on what those before it made, the tree itself; after one that fails there is nothing more to see."""
    last = max((i for i, name in enumerate(NAMES) if Way(name, in_order=True) in wanted), default=0)
    text = tree.sql()
    for name, rule in zip(NAMES[1 : last + 1], RULES[1 : last + 1], strict=True):
        way = Way(name, in_order=True)
        after = _applied(rule, tree, types, copy=False)
        made = _rewrite(way, text, after)
        if way in wanted:
            yield made
        if isinstance(after, str) or made.after is None:
            return
        tree, text = after, made.after


def _applied(rule: OptimizerFn, tree: exp.Expr, types: MappingSchema, *, copy: bool = True) -> exp.Expr | str:
    """The tree that a rule makes, mostly of a copy, or what it raises."""
    try:
        return optimize(tree, schema=types, rules=(rule,), copy=copy)
    except Exception as error:
        return f"{type(error).__name__}: {str(error).splitlines()[0] if str(error) else ''}"


def _rewrite(way: Way, before: str, after: exp.Expr | str) -> Rewrite:
    if isinstance(after, str):
        return Rewrite(way, before, error=after)
    return Rewrite(way, before, after.sql(copy=False))  # copies take as long as the rules themselves
