"""A query around one that ranks rows: the places that it keeps are kept inside, where the ranking is."""

from typing import Final

from sqlglot import exp

from semantics.sql.dialects.columns import conjunction
from semantics.sql.dialects.nodes import whole
from semantics.sql.dialects.normal_form import normalised
from semantics.sql.dialects.ranked import MOST_PLACES, Places, is_ranking, places_in
from semantics.sql.dialects.refusals import Refused
from semantics.sql.dialects.scope import Scope, View

KEPT: Final = "kept_by_qualify"


def with_places_inside(node: exp.Select, scope: Scope) -> tuple[exp.Expr, Scope] | None:
    """WHERE over a query whose items rank rows: the places are kept inside, where the ranking is."""
    source, where = _only_query(node, scope), node.args.get("where")
    if source is None or where is None:
        return None
    inner, known = source
    rankings = {i.alias.lower(): i.this for i in inner.expressions if isinstance(i, exp.Alias) and is_ranking(i.this)}
    places, rest = places_in(where.this, rankings)
    if places is None:
        return None
    kept = _kept_inside(node, inner, places)
    name = node.args["from_"].this.alias_or_name or "ranked"
    outer = node.copy()
    condition = conjunction(rest)
    outer.set("where", exp.Where(this=condition) if condition is not None else None)
    outer.set("from_", exp.From(this=exp.Table(this=exp.to_identifier(name, quoted=True))))
    return outer, scope.naming(name, View(kept, known))


def with_condition_outside(node: exp.Select, places: Places | None, rest: list[exp.Expr]) -> exp.Select:
    """QUALIFY with a condition that is no place: a column of the block, which a query around it asks for."""
    inner = node.copy()
    inner.set("qualify", None if places is None else exp.Qualify(this=places.condition()))
    values = {item.alias.lower(): item.this for item in node.expressions if isinstance(item, exp.Alias)}

    def written_out(part: exp.Expr) -> exp.Expr:
        named = isinstance(part, exp.Column) and not part.table and part.name.lower() in values
        return values[part.name.lower()].copy() if named else part

    condition = exp.and_(*(part.copy() for part in rest)).transform(written_out)
    inner.append("expressions", exp.Alias(this=condition, alias=exp.to_identifier(KEPT)))
    outer = exp.Select(expressions=[exp.Star(except_=[exp.to_identifier(KEPT)])])
    outer.set("from_", exp.From(this=exp.Subquery(this=inner)))
    outer.set("where", exp.Where(this=exp.column(KEPT)))
    return outer


def _only_query(node: exp.Select, scope: Scope) -> tuple[exp.Select, Scope] | None:
    """The SELECT that FROM consists of, in parentheses or by name, and where its names are known."""
    origin = node.args.get("from_")
    if origin is None or node.args.get("joins"):
        return None
    relation = origin.this
    if isinstance(relation, exp.Table) and isinstance(relation.this, exp.Identifier):
        view = scope.views.get(relation.name.lower())
        if view is None or view.columns:
            return None
        relation, scope = view.query, view.scope or scope
    while isinstance(relation, exp.Subquery) and not relation.args.get("with_"):
        relation = relation.this
    plain = isinstance(relation, exp.Select) and not relation.args.get("with_") and not relation.args.get("qualify")
    return (normalised(relation.copy()), scope) if plain else None


def _kept_inside(node: exp.Select, inner: exp.Select, places: Places) -> exp.Expr:
    """The inner query with QUALIFY; if anybody asks for the place, it is a constant in one query for each."""
    asked = _asks_for(node, places.name)
    if not asked:
        return _with_places(inner, places, None)
    if places.last is None or places.last - places.first >= MOST_PLACES:
        raise Refused("the place of a row as a value", f"it is read for up to {MOST_PLACES} places")
    branches = [_with_places(inner, places, place) for place in range(max(places.first, 1), places.last + 1)]
    if not branches:
        return _with_places(inner, places, None)
    made: exp.Expr = branches[0]
    for branch in branches[1:]:
        made = exp.Union(this=made, expression=branch, distinct=False)
    return made


def _asks_for(node: exp.Select, name: str) -> bool:
    """Is the place used beside the comparison? A star of the whole query asks for it, too."""
    clauses = [*node.expressions, *(node.args.get(c) for c in ("group", "having", "order", "qualify"))]
    there = [part for clause in clauses if clause is not None for part in clause.walk()]
    starred = any(isinstance(p, exp.Star) and not isinstance(p.parent, exp.Anonymous) for p in there)
    return starred or any(isinstance(part, exp.Column) and part.name.lower() == name for part in there)


def _with_places(inner: exp.Select, places: Places, place: int | None) -> exp.Select:
    """A query that keeps some places, or one of them; its column is gone, or a constant."""
    made = inner.copy()
    items = []
    for item in made.expressions:
        if isinstance(item, exp.Alias) and is_ranking(item.this) and item.alias.lower() == places.name:
            if place is not None:
                items.append(exp.Alias(this=whole(place), alias=item.args["alias"]))
        else:
            items.append(item)
    made.set("expressions", items or [exp.alias_(whole(1), KEPT)])
    made.set("qualify", exp.Qualify(this=places.condition(place)))
    return made
