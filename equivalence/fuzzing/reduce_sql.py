"""Make a query small: parts of its syntax tree go, as long as what is wrong with it stays wrong.

The caller says whether a smaller text still shows the fault; a text that is no valid query any more does not. The tree
is walked from its root, so that whole branches go before their leaves.
"""

from collections.abc import Callable, Iterator
from functools import lru_cache, partial
from itertools import islice
from typing import Final

from sqlglot import exp, parse_one
from sqlglot.errors import SqlglotError

MOST_TRIALS: Final = 300
_CLAUSES: Final = ("where", "having", "distinct", "group", "limit", "order", "with_")
_WHOLE: Final = (exp.Query, exp.Table, exp.Identifier, exp.TableAlias, exp.From, exp.Join, exp.DataType)
"""Parts that stand for no value: nothing of theirs takes their place."""

Edit = Callable[[exp.Expr], exp.Expr]
"""Changes a copy of a tree, and gives its root."""


def reduce_sql(sql: str, still_wrong: Callable[[str], bool], trials: int = MOST_TRIALS) -> str:
    """The smallest text that is reached by leaving out one part after the other.

    >>> reduce_sql("SELECT a + 1 AS x, b AS y FROM t WHERE a > 0 AND b IS NULL", lambda text: "b IS NULL" in text)
    'SELECT 1 AS y FROM t WHERE b IS NULL'
    """
    text, tried, start = parse_one(sql).sql(), {sql}, 0
    while True:
        tree = parse_one(text)
        for place, smaller in _smaller(tree, start):
            if smaller in tried or _size(smaller) >= _size(text):
                continue
            if len(tried) > trials:
                return text
            tried.add(smaller)
            if still_wrong(smaller):
                text, start = smaller, place  # what came before this place was tried a moment ago
                break
        else:
            if start == 0:
                return text
            start = 0


@lru_cache(1024)
def _size(text: str) -> tuple[int, int]:
    return sum(1 for _ in parse_one(text).walk()), len(text)


def _smaller(tree: exp.Expr, start: int) -> Iterator[tuple[int, str]]:
    """The text after each single edit, and where it was made; the first is at the given place."""
    for place, node in enumerate(tree.walk()):
        for edit in _edits(node) if place >= start else ():
            copy = tree.copy()
            text = _text(edit(next(islice(copy.walk(), place, None))))
            if text is not None:
                yield place, text


def _text(tree: exp.Expr) -> str | None:
    """What the tree says; an edit may leave one that says nothing, or nothing that can be read again."""
    try:
        text = tree.sql(copy=False)
        parse_one(text)
    except (SqlglotError, ValueError, AttributeError, TypeError):
        return None
    return text


def _edits(node: exp.Expr) -> Iterator[Edit]:
    if isinstance(node, exp.Query) and isinstance(node.parent, exp.Subquery | exp.CTE | exp.In | exp.Exists):
        yield lambda one: one.copy()  # a query inside takes the place of the whole
    match node:
        case exp.SetOperation():
            yield lambda one: _replaced(one, _with_tables_of(one, one.this))
            yield lambda one: _replaced(one, _with_tables_of(one, one.expression))
            for i in range(len(node.selects) if len(node.selects) > 1 else 0):
                yield partial(_without_column, place=i)
        case exp.CTE():
            yield _inlined
        case exp.Subquery() if isinstance(node.parent, exp.From | exp.Join) and isinstance(node.this, exp.Select):
            yield _unwrapped
        case exp.Select():
            yield from _edits_of_block(node)
        case exp.Join() if node.side:
            yield lambda one: _without(one, "side")
        case exp.Condition() if node.parent is not None and not isinstance(node.parent, exp.Limit):
            yield from _edits_of_value(node)


def _edits_of_block(node: exp.Select) -> Iterator[Edit]:
    for clause in _CLAUSES:
        if node.args.get(clause):
            yield partial(_without, name=clause)
    if node.args.get("limit") and node.args.get("order"):
        yield lambda one: _without(_at(one, "order"), "limit")
    for name in ("joins", "expressions"):
        held = node.args.get(name) or []
        for i in range(len(held) if name == "joins" or len(held) > 1 else 0):
            yield partial(_without_item, name=name, place=i)


def _edits_of_value(node: exp.Expr) -> Iterator[Edit]:
    """Something inside it, a constant, or nothing takes its place."""
    for i in range(0 if isinstance(node, exp.Paren) else len(_inside(node))):
        yield partial(_replaced_by_inside, place=i)
    if not isinstance(node, exp.Literal | exp.Boolean):
        if not _is_asked(node):
            yield lambda one: _replaced(one, exp.Literal.number(1))
        yield lambda one: _replaced(one, exp.true())
    if isinstance(node.parent, exp.In | exp.Group | exp.Coalesce | exp.Order):
        yield lambda one: _replaced(one, None)


def _is_asked(node: exp.Expr) -> bool:
    """Does it stand where a condition must? A number there is one for some systems only."""
    return isinstance(node.parent, exp.Where | exp.Having | exp.Connector | exp.Not) or node.arg_key == "on"


def _inside(node: exp.Expr) -> list[exp.Expr]:
    return [child for child in node.iter_expressions() if not isinstance(child, _WHOLE)]


def _replaced_by_inside(node: exp.Expr, place: int) -> exp.Expr:
    return _replaced(node, _inside(node)[place])


def _replaced(node: exp.Expr, other: exp.Expr | None) -> exp.Expr:
    """The root of the tree after something else stands where the node did."""
    if node.parent is None:
        return other.copy() if other is not None else node
    root = node.root()
    node.replace(None if other is None else other.copy())
    return root


def _with_tables_of(node: exp.Expr, side: exp.Expr) -> exp.Expr:
    """One side of a set operation, which still knows the tables that WITH names."""
    copy = side.copy()
    if node.args.get("with_") and not copy.args.get("with_"):
        copy.set("with_", node.args["with_"].copy())
    return copy


def _inlined(node: exp.Expr) -> exp.Expr:
    """Derived tables take the place of a table that WITH names."""
    root, named = node.root(), node.args["alias"].name
    for table in list(root.find_all(exp.Table)):
        if table.name == named:
            table.replace(
                exp.Subquery(this=node.this.copy(), alias=exp.TableAlias(this=exp.to_identifier(table.alias)))
            )
    owner = node.parent
    assert owner is not None
    if len(owner.expressions) == 1:
        assert owner.parent is not None
        owner.parent.set("with_", None)
    else:
        node.pop()
    return root


def _unwrapped(node: exp.Expr) -> exp.Expr:
    """The first table of a derived table takes its place, and what was shown of it takes that of the columns."""
    source = node.this.args.get("from_")
    if source is None:
        return node.root()
    inner = source.this.copy()
    inner.set("alias", exp.TableAlias(this=exp.to_identifier(node.alias)))
    shown = {item.alias_or_name: item.unalias() for item in node.this.selects}
    root = _replaced(node, inner)
    for column in list(root.find_all(exp.Column)):
        item = shown.get(column.name)
        if column.table != node.alias or item is None:
            continue
        if isinstance(item, exp.Column):
            column.set("this", item.this.copy())
        else:
            column.replace(_over(item, node.alias))
    return root


def _over(item: exp.Expr, alias: str) -> exp.Expr:
    """What was shown of a table, now that this has another alias."""
    copy = item.copy()
    for column in copy.find_all(exp.Column):
        column.set("table", exp.to_identifier(alias))
    return copy if isinstance(copy, exp.Literal | exp.Boolean | exp.Func) else exp.Paren(this=copy)


def _without(node: exp.Expr, name: str) -> exp.Expr:
    node.set(name, None)
    return node.root()


def _at(node: exp.Expr, dropped: str) -> exp.Expr:
    node.set(dropped, None)
    return node


def _without_column(node: exp.Expr, place: int) -> exp.Expr:
    """Both sides of a set operation, and of those inside it, with one column less."""
    for side in (node.this, node.expression):
        if isinstance(side, exp.SetOperation):
            _without_column(side, place)
        elif isinstance(side, exp.Select) and place < len(side.expressions) > 1:
            _without_item(side, "expressions", place)
    return node.root()


def _without_item(node: exp.Expr, name: str, place: int) -> exp.Expr:
    items = list(node.args[name])
    items.pop(place)
    node.set(name, items)
    return node.root()
