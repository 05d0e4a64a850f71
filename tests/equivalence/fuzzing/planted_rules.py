"""Wrong rewrites of SQL, planted on purpose: each is a mistake that people who write optimizers make."""

from collections.abc import Callable
from typing import Final

from sqlglot import exp, parse_one

Rewrite = Callable[[str], str]
PLANTED: Final[dict[str, Rewrite]] = {}


def planted(change: Callable[[exp.Expr], exp.Expr]) -> Callable[[exp.Expr], exp.Expr]:
    """List a change of syntax trees as a rewrite of texts, under its name."""

    def rewrite(sql: str) -> str:
        return change(parse_one(sql)).sql()

    PLANTED[change.__name__] = rewrite
    return change


def _selects(tree: exp.Expr) -> list[exp.Select]:
    return list(tree.find_all(exp.Select))


@planted
def derived_tables_need_no_distinct(tree: exp.Expr) -> exp.Expr:
    for derived in tree.find_all(exp.Subquery):
        if isinstance(derived.this, exp.Select) and isinstance(derived.parent, exp.From | exp.Join):
            derived.this.set("distinct", None)
    return tree


@planted
def filters_make_left_joins_inner(tree: exp.Expr) -> exp.Expr:
    """Right only for conditions that reject NULL."""
    for select in _selects(tree):
        where = select.args.get("where")
        used = {column.table for column in where.find_all(exp.Column)} if where else set()
        for join in select.args.get("joins") or []:
            if join.side == "LEFT" and join.alias_or_name in used:
                join.set("side", None)
    return tree


@planted
def not_in_is_not_exists(tree: exp.Expr) -> exp.Expr:
    """Forgets what NULL does to NOT IN."""
    for negation in list(tree.find_all(exp.Not)):
        inside = negation.this.unnest()
        query = inside.args.get("query") if isinstance(inside, exp.In) else None
        select = query.this if isinstance(query, exp.Subquery) else query
        if isinstance(select, exp.Select) and not (select.args.get("group") or select.find(exp.AggFunc)):
            same = exp.EQ(this=select.selects[0].unalias().copy(), expression=inside.this.copy())
            negation.set("this", exp.Exists(this=select.copy().where(same)))
    return tree


@planted
def counts_count_rows(tree: exp.Expr) -> exp.Expr:
    for count in tree.find_all(exp.Count):
        if not isinstance(count.this, exp.Star | exp.Distinct):
            count.set("this", exp.Star())
    return tree


@planted
def unions_keep_duplicates(tree: exp.Expr) -> exp.Expr:
    for union in tree.find_all(exp.Union):
        union.set("distinct", False)
    return tree


@planted
def everything_equals_itself(tree: exp.Expr) -> exp.Expr:
    """NULL = NULL is not true."""
    for equality in list(tree.find_all(exp.EQ)):
        if equality.this == equality.expression and isinstance(equality.this, exp.Column):
            equality.replace(exp.true())
    return tree


@planted
def coalesce_compares_its_first(tree: exp.Expr) -> exp.Expr:
    for comparison in tree.find_all(exp.EQ, exp.LT, exp.GT, exp.NEQ):
        if isinstance(comparison.this, exp.Coalesce):
            comparison.set("this", comparison.this.this.copy())
    return tree


@planted
def filters_go_into_the_on_of_left_joins(tree: exp.Expr) -> exp.Expr:
    for select in _selects(tree):
        joins, where = select.args.get("joins") or [], select.args.get("where")
        if len(joins) == 1 and joins[0].side == "LEFT" and where and not where.find(exp.Select):
            joins[0].set("on", exp.and_(joins[0].args["on"].copy(), where.this.copy()))
            select.set("where", None)
    return tree


@planted
def filters_go_below_limits(tree: exp.Expr) -> exp.Expr:
    for select in _selects(tree):
        inner = _only_derived_table(select)
        where = select.args.get("where")
        if where and inner is not None and inner.args.get("limit") and not where.find(exp.Select):
            values = {item.alias_or_name: item.unalias() for item in inner.selects}
            if not inner.find(exp.AggFunc) and all(column.name in values for column in where.find_all(exp.Column)):
                inner.where(_substituted(where.this, values), copy=False)
                select.set("where", None)
    return tree


def _only_derived_table(select: exp.Select) -> exp.Select | None:
    source = select.args.get("from_")
    inner = source.this.this if source and isinstance(source.this, exp.Subquery) else None
    return inner if isinstance(inner, exp.Select) and not select.args.get("joins") else None


def _substituted(condition: exp.Expr, values: dict[str, exp.Expr]) -> exp.Expr:
    return condition.copy().transform(lambda node: values[node.name].copy() if isinstance(node, exp.Column) else node)


@planted
def except_is_an_antijoin(tree: exp.Expr) -> exp.Expr:
    """Equality does not find NULL, which EXCEPT does."""
    for difference in list(tree.find_all(exp.Except)):
        left, right = difference.this, difference.expression
        names = [item.alias_or_name for item in left.selects]
        others = [item.alias_or_name for item in right.selects]
        pairs = [f'l."{a}" = r."{b}"' for a, b in zip(names, others, strict=True)]
        listed = ", ".join(f'l."{name}" AS "{name}"' for name in names)
        text = (
            f"SELECT DISTINCT {listed} FROM ({left.sql()}) AS l "
            f"WHERE NOT EXISTS (SELECT 1 FROM ({right.sql()}) AS r WHERE {' AND '.join(pairs)})"
        )
        if difference.parent is None:
            return parse_one(text)
        difference.replace(parse_one(text))
    return tree


@planted
def not_goes_through_and(tree: exp.Expr) -> exp.Expr:
    """NOT (a AND b) as NOT a AND NOT b."""
    for negation in list(tree.find_all(exp.Not)):
        inside = negation.this.unnest()
        if isinstance(inside, exp.And):
            negation.replace(exp.paren(exp.and_(exp.not_(inside.this.copy()), exp.not_(inside.expression.copy()))))
    return tree


@planted
def between_leaves_out_its_ends(tree: exp.Expr) -> exp.Expr:
    for between in list(tree.find_all(exp.Between)):
        low = exp.GT(this=between.this.copy(), expression=between.args["low"].copy())
        between.replace(
            exp.paren(exp.and_(low, exp.LT(this=between.this.copy(), expression=between.args["high"].copy())))
        )
    return tree


@planted
def or_is_two_queries(tree: exp.Expr) -> exp.Expr:
    """Rows that satisfy both sides come twice."""
    where = tree.args.get("where")
    if isinstance(tree, exp.Select) and where and isinstance(where.this.unnest(), exp.Or):
        either = where.this.unnest()
        if not (tree.find(exp.AggFunc) or tree.args.get("distinct") or tree.args.get("limit")):
            left, right = tree.copy(), tree.copy()
            left.args["where"].set("this", either.this.copy())
            right.args["where"].set("this", either.expression.copy())
            return exp.union(left, right, distinct=False)
    return tree


@planted
def counts_need_no_distinct(tree: exp.Expr) -> exp.Expr:
    for count in tree.find_all(exp.Count):
        if isinstance(count.this, exp.Distinct):
            count.set("this", count.this.expressions[0].copy())
    return tree


@planted
def keys_that_are_not_selected_group_nothing(tree: exp.Expr) -> exp.Expr:
    for select in _selects(tree):
        group = select.args.get("group")
        if group and len(group.expressions) > 1:
            shown = [item.unalias() for item in select.selects]
            kept = [key for key in group.expressions if key in shown]
            if kept and not select.args.get("having"):
                group.set("expressions", kept)
    return tree


@planted
def distinct_from_is_unequal(tree: exp.Expr) -> exp.Expr:
    for node in list(tree.find_all(exp.NullSafeNEQ)):
        node.replace(exp.NEQ(this=node.this.copy(), expression=node.expression.copy()))
    return tree


@planted
def full_joins_are_left_joins(tree: exp.Expr) -> exp.Expr:
    for join in tree.find_all(exp.Join):
        if join.side == "FULL":
            join.set("side", "LEFT")
    return tree


@planted
def in_is_a_join(tree: exp.Expr) -> exp.Expr:
    """Without DISTINCT, every partner makes a row."""
    where = tree.args.get("where")
    if isinstance(tree, exp.Select) and where and isinstance(where.this, exp.In) and where.this.args.get("query"):
        query = where.this.args["query"].this
        inner = f"SELECT m.v AS v FROM ({query.sql()}) AS m(v)" if isinstance(query, exp.Select) else ""
        correlated = {c.table for c in query.find_all(exp.Column)} - {
            t.alias_or_name for t in query.find_all(exp.Table)
        }
        if inner and not correlated - {""}:
            query = query.copy()
            query.selects[0].replace(exp.alias_(query.selects[0].unalias().copy(), "v"))
            on = exp.EQ(this=exp.column("v", "m"), expression=where.this.this.copy())
            joined = tree.copy().join(query.subquery("m"), on=on)
            joined.set("where", None)
            return joined
    return tree


@planted
def unused_left_joins_vanish(tree: exp.Expr) -> exp.Expr:
    """Right only if at most one partner can be found."""
    for select in _selects(tree):
        joins = select.args.get("joins") or []
        if joins and joins[-1].side == "LEFT":
            last = joins[-1]
            rest = select.copy()
            rest.args["joins"].pop()
            if last.alias_or_name not in {c.table for c in rest.find_all(exp.Column)} and not rest.find(exp.Star):
                select.set("joins", joins[:-1])
    return tree


@planted
def nullif_gives_its_second(tree: exp.Expr) -> exp.Expr:
    for node in list(tree.find_all(exp.Nullif)):
        a, b = node.this.copy(), node.expression.copy()
        node.replace(exp.Case().when(exp.EQ(this=a, expression=b), exp.null()).else_(b.copy()))
    return tree


@planted
def exists_of_an_aggregate_asks_for_rows(tree: exp.Expr) -> exp.Expr:
    """EXISTS (SELECT COUNT(*) …) is always true; this asks whether a row was counted."""
    for exists in tree.find_all(exp.Exists):
        select = exists.this.unnest() if isinstance(exists.this, exp.Subquery) else exists.this
        if isinstance(select, exp.Select) and select.find(exp.AggFunc) and not select.args.get("group"):
            select.set("expressions", [exp.alias_(exp.Literal.number(1), "one")])
            select.set("having", None)
    return tree


@planted
def having_needs_a_group_by(tree: exp.Expr) -> exp.Expr:
    for select in _selects(tree):
        if select.args.get("having") and not select.args.get("group"):
            select.set("having", None)
    return tree


@planted
def sums_over_nothing_are_zero(tree: exp.Expr) -> exp.Expr:
    for total in list(tree.find_all(exp.Sum)):
        total.replace(exp.Coalesce(this=total.copy(), expressions=[exp.Literal.number(0)]))
    return tree


@planted
def is_not_true_is_not(tree: exp.Expr) -> exp.Expr:
    """NOT p is NULL where p is; p IS NOT TRUE is true."""
    for negation in list(tree.find_all(exp.Not)):
        inside = negation.this
        if isinstance(inside, exp.Is) and inside.expression == exp.true():
            negation.set("this", exp.paren(inside.this.copy()))
    return tree
