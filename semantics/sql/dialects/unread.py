"""Clauses that sqlglot reads and this language has no meaning for: each is refused by name, none is passed over."""

from typing import Final

from sqlglot import exp

from semantics.sql.dialects.refusals import Refused
from semantics.sql.errors import place


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_CLAUSES: Final = _words("with_ joins laterals where group having qualify windows order limit offset")
_SAYS_NOTHING: Final = _words("hint hints locks options distribute sort cluster only materialized global_ directed")
"""What says how a query runs, not what it means."""
READ: Final = {
    exp.Select: _CLAUSES | _SAYS_NOTHING | _words("expressions distinct from_"),
    exp.Subquery: _CLAUSES | _SAYS_NOTHING | _words("this alias"),
    exp.Union: _CLAUSES | _SAYS_NOTHING | _words("this expression distinct"),
    exp.Intersect: _CLAUSES | _SAYS_NOTHING | _words("this expression distinct"),
    exp.Except: _CLAUSES | _SAYS_NOTHING | _words("this expression distinct"),
    exp.Table: _SAYS_NOTHING | _words("this alias db catalog joins laterals version ordinality"),
    exp.Join: _SAYS_NOTHING | _words("this on side kind using method match_condition"),
    exp.Lateral: _words("this view outer alias ordinality"),
    exp.Star: _words("except_"),
    exp.Group: _words("expressions cube rollup grouping_sets all"),
    exp.Ordered: _words("this desc nulls_first"),
    exp.Limit: _words("this expression offset"),
    exp.CTE: _SAYS_NOTHING | _words("this alias"),
    exp.Cast: _words("this to safe"),
    exp.TryCast: _words("this to safe requires_string"),
    exp.In: _words("this expressions query"),
    exp.WindowSpec: _words("kind start start_side end end_side exclude"),
}
"""The parts of each kind of node that are read, or that say nothing."""


def check_read(tree: exp.Expr) -> None:
    """Refuses the first clause of a query that nobody reads."""
    for node in tree.walk():
        known = READ.get(type(node))
        for name, value in node.args.items() if known is not None else ():
            if name not in known and value not in (None, False, "", []):
                raise Refused(_shown(node, name, value), "this language has no such clause", _place(node, value))
        options = node.args.get("limit_options") if isinstance(node, exp.Fetch) else None
        if options is not None and options.args.get("percent"):
            raise Refused("FETCH … PERCENT", "this language counts rows", place(node))
    origin = [node.this for node in tree.find_all(exp.From)]
    for table in origin:
        if isinstance(table, exp.Table) and table.args.get("version") is not None:
            raise Refused(
                "a table AS OF a time in FROM", "only a join can ask for the version of its row", place(table)
            )


def _shown(node: exp.Expr, name: str, value: object) -> str:
    """What a clause is called."""
    first = value[0] if isinstance(value, list) and value else value
    if isinstance(node, exp.Star | exp.Limit):
        return f"{name.replace('_', ' ').upper()} of {'*' if isinstance(node, exp.Star) else 'LIMIT'}"
    if isinstance(first, exp.Expr) and type(first) not in (exp.Identifier, exp.Literal, exp.Column, exp.Boolean):
        name = "UNPIVOT" if isinstance(first, exp.Pivot) and first.args.get("unpivot") else first.key
    return f"{name.rstrip('_').replace('_', ' ').upper()} of {node.key.upper()}"


def _place(node: exp.Expr, value: object) -> int:
    first = value[0] if isinstance(value, list) and value else value
    return (place(first) if isinstance(first, exp.Expr) else 0) or place(node)
