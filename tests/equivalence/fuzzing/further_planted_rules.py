"""Thirty more wrong rewrites, planted on purpose: of texts, of plans, and inside an engine with switches."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any, Final

from sqlglot import exp, parse_one

from semantics import Plan
from semantics import plan as nodes

SqlRule = Callable[[str], str]
Change = Callable[[exp.Expr], None]
TEXTS: Final[dict[str, SqlRule]] = {}
"""Rewrites of texts."""
PLACED: Final[dict[str, SqlRule]] = {}
"""Those of one shape of query in one place."""
SWITCHES: Final[dict[str, SqlRule]] = {}
"""Rewrites that an engine applies unless they are switched off."""
PLANS: Final[dict[str, Callable[[Any], Any]]] = {}
"""Rewrites of plans."""


def listed(where: dict[str, SqlRule]) -> Callable[[Change], Change]:
    """List a change of syntax trees in place as a rewrite of texts, under its name."""

    def decorated(change: Change) -> Change:
        def rewrite(sql: str) -> str:
            tree = parse_one(sql)
            change(tree)
            return tree.sql()

        where[change.__name__] = rewrite
        return change

    return decorated


def _selects(tree: exp.Expr) -> list[exp.Select]:
    return list(tree.find_all(exp.Select))


def _joins(tree: exp.Expr) -> Iterator[tuple[exp.Select, exp.Join]]:
    for select in _selects(tree):
        for join in select.args.get("joins") or []:
            yield select, join


def _equality(join: exp.Join) -> tuple[exp.Column, exp.Column] | None:
    """Both sides of ON, if it is nothing but an equality of columns."""
    on = join.args.get("on")
    if isinstance(on, exp.EQ) and isinstance(on.this, exp.Column) and isinstance(on.expression, exp.Column):
        return on.this, on.expression
    return None


@listed(PLACED)
def groups_below_exists_do_nothing(tree: exp.Expr) -> None:
    for exists in tree.find_all(exp.Exists):
        if isinstance(exists.this, exp.Select) and not exists.this.args.get("having"):
            exists.this.set("group", None)


@listed(PLACED)
def padded_columns_have_no_partner(tree: exp.Expr) -> None:
    """LEFT JOIN … WHERE column IS NULL becomes NOT EXISTS, whatever column it is."""
    for select in _selects(tree):
        where, joins = select.args.get("where"), select.args.get("joins") or []
        if where is None or len(joins) != 1 or joins[0].side != "LEFT" or joins[0].args.get("on") is None:
            continue
        asked, alias = where.this, joins[0].alias_or_name
        mentioned = {column for column in select.find_all(exp.Column) if column.table == alias}
        inside = set(joins[0].find_all(exp.Column))
        if isinstance(asked, exp.Is) and isinstance(asked.this, exp.Column) and mentioned - inside == {asked.this}:
            below = exp.select("1").from_(joins[0].this.copy()).where(joins[0].args["on"].copy())
            select.set("joins", [])
            select.set("where", exp.Where(this=exp.Not(this=exp.Exists(this=below))))


@listed(TEXTS)
def grouped_tables_always_have_partners(tree: exp.Expr) -> None:
    for _, join in _joins(tree):
        if join.side == "LEFT" and isinstance(join.this, exp.Subquery) and join.this.this.args.get("group"):
            join.set("side", None)


@listed(TEXTS)
def coalesce_comes_out_of_aggregates(tree: exp.Expr) -> None:
    """MIN(COALESCE(x, c)) is not COALESCE(MIN(x), c)."""
    for function in list(tree.find_all(exp.Min, exp.Max, exp.Sum)):
        inside = function.this
        if isinstance(inside, exp.Coalesce) and not isinstance(function.parent, exp.Window):
            outside = inside.copy()
            outside.set("this", type(function)(this=inside.this.copy()))
            function.replace(outside)


@listed(TEXTS)
def distinct_comes_after_limit(tree: exp.Expr) -> None:
    for select in _selects(tree):
        if select.args.get("distinct") and select.args.get("limit") and isinstance(select.parent, exp.Subquery):
            inner = select.copy()
            inner.set("distinct", None)
            select.replace(exp.select("*").distinct().from_(inner.subquery("cut")))


@listed(TEXTS)
def groups_count_at_least_one(tree: exp.Expr) -> None:
    """True of COUNT(*) with GROUP BY alone."""
    for having in list(tree.find_all(exp.Having)):
        condition = having.this
        counted = isinstance(condition, exp.NEQ | exp.GTE) and isinstance(condition.this, exp.Count)
        if counted and condition.expression.sql() in ("0", "1"):
            having.parent.set("having", None)  # type: ignore[union-attr]


@listed(TEXTS)
def counts_of_no_rows_are_unknown(tree: exp.Expr) -> None:
    """What becomes of COUNT in a subquery that is turned into a join."""
    for query in list(tree.find_all(exp.Subquery)):
        inner = query.this
        if isinstance(query.parent, exp.From | exp.Join) or not isinstance(inner, exp.Select):
            continue
        if isinstance(inner.selects[0].unalias(), exp.Count) and not inner.args.get("group"):
            query.replace(exp.Nullif(this=query.copy(), expression=exp.Literal.number(0)))


@listed(TEXTS)
def what_no_case_says_is_zero(tree: exp.Expr) -> None:
    for case in tree.find_all(exp.Case):
        values = [branch.args["true"] for branch in case.args["ifs"]]
        numbers = all(isinstance(value, exp.Literal) and not value.is_string for value in values)
        if numbers and not case.args.get("default"):
            case.set("default", exp.Literal.number(0))


@listed(TEXTS)
def lists_need_no_null(tree: exp.Expr) -> None:
    for among in tree.find_all(exp.In):
        rest = [item for item in among.expressions if not isinstance(item, exp.Null)]
        if rest and isinstance(among.parent, exp.Not):
            among.set("expressions", rest)


@listed(TEXTS)
def bounds_come_in_any_order(tree: exp.Expr) -> None:
    for between in tree.find_all(exp.Between):
        low, high = between.args["low"], between.args["high"]
        if low.sql() > high.sql():
            between.set("low", high.copy())
            between.set("high", low.copy())


@listed(TEXTS)
def partners_have_the_same_value(tree: exp.Expr) -> None:
    """After LEFT JOIN … ON a = b, b is a, or NULL."""
    for select, join in _joins(tree):
        pair = _equality(join)
        if join.side == "LEFT" and pair is not None:
            left, right = pair if pair[1].table == join.alias_or_name else (pair[1], pair[0])
            for item in select.selects:
                for column in list(item.find_all(exp.Column)):
                    if column == right:
                        column.replace(left.copy())


@listed(TEXTS)
def offsets_do_not_matter_to_exists(tree: exp.Expr) -> None:
    for exists in tree.find_all(exp.Exists):
        if isinstance(exists.this, exp.Query):
            exists.this.set("offset", None)


@listed(TEXTS)
def null_is_equal_to_itself(tree: exp.Expr) -> None:
    for same in list(tree.find_all(exp.NullSafeEQ)):
        same.replace(exp.EQ(this=same.this.copy(), expression=same.expression.copy()))


@listed(TEXTS)
def not_true_is_the_opposite(tree: exp.Expr) -> None:
    """(a < b) IS NOT TRUE holds where either is NULL."""
    for negation in list(tree.find_all(exp.Not)):
        inside = negation.this
        if isinstance(inside, exp.Is) and inside.expression == exp.true():
            compared = inside.this.unnest()
            if isinstance(compared, exp.LT):
                opposite = exp.GTE(this=compared.this.copy(), expression=compared.expression.copy())
                negation.replace(exp.paren(opposite))


@listed(TEXTS)
def sums_add_each_value_once(tree: exp.Expr) -> None:
    for total in tree.find_all(exp.Sum):
        if isinstance(total.this, exp.Distinct):
            total.set("this", total.this.expressions[0].copy())


@listed(TEXTS)
def windows_see_all_rows(tree: exp.Expr) -> None:
    for window in tree.find_all(exp.Window):
        window.set("partition_by", None)


@listed(TEXTS)
def joins_with_true_have_partners(tree: exp.Expr) -> None:
    """A LEFT JOIN whose condition is about the left side alone becomes a filter."""
    for select, join in _joins(tree):
        on = join.args.get("on")
        used = {column.table for column in on.find_all(exp.Column)} if on is not None else {join.alias_or_name}
        if join.side == "LEFT" and on is not None and join.alias_or_name not in used:
            select.where(on.copy(), copy=False)
            join.set("on", exp.true())


@listed(TEXTS)
def unions_of_one_column_are_or(tree: exp.Expr) -> None:
    """Each side keeps its duplicates, if only one of them is DISTINCT."""
    for union in tree.find_all(exp.Union):
        left = union.this
        if union.args.get("distinct") and isinstance(left, exp.Select) and left.args.get("distinct"):
            union.set("distinct", False)


@listed(TEXTS)
def absorbed_conditions_keep_the_other(tree: exp.Expr) -> None:
    """a OR (a AND b) as b."""
    for either in list(tree.find_all(exp.Or)):
        one, both = either.this.unnest(), either.expression.unnest()
        if isinstance(both, exp.And) and both.this.unnest() == one:
            either.replace(both.expression.copy())


@listed(TEXTS)
def the_left_of_a_right_join_is_complete(tree: exp.Expr) -> None:
    for select, join in _joins(tree):
        where = select.args.get("where")
        source = select.args["from_"].this.alias_or_name
        if join.side == "RIGHT" and where and source in {column.table for column in where.find_all(exp.Column)}:
            join.set("side", None)


@listed(TEXTS)
def empty_groups_have_no_row(tree: exp.Expr) -> None:
    """An aggregate over a condition that is false has a row all the same."""
    for select in _selects(tree):
        aggregates = isinstance(select.selects[0].unalias(), exp.AggFunc) and select.args.get("where")
        if aggregates and not select.args.get("group") and not select.args.get("having"):
            select.having("COUNT(*) > 0", copy=False)


@listed(TEXTS)
def differences_of_keys_are_not_in(tree: exp.Expr) -> None:
    """EXCEPT takes duplicates away from what is left, too."""
    for difference in list(tree.find_all(exp.Except)):
        left, right = difference.this, difference.expression
        simple = isinstance(left, exp.Select) and isinstance(right, exp.Select) and len(left.selects) == 1
        if simple and isinstance(difference.parent, exp.Subquery) and not difference.args.get("limit"):
            name = left.selects[0].alias_or_name
            source = left.copy().subquery("kept")
            among = exp.In(this=exp.column(name, "kept"), query=right.copy().subquery())
            difference.replace(exp.select(exp.column(name, "kept").as_(name)).from_(source).where(exp.not_(among)))


@listed(SWITCHES)
def rank_without_gaps(tree: exp.Expr) -> None:
    for rank in list(tree.find_all(exp.Rank)):
        rank.replace(exp.DenseRank())


@listed(SWITCHES)
def full_joins_with_filters_are_right_joins(tree: exp.Expr) -> None:
    for select, join in _joins(tree):
        if join.side == "FULL" and select.args.get("where"):
            join.set("side", "RIGHT")


@listed(SWITCHES)
def limits_go_below_set_operations(tree: exp.Expr) -> None:
    for operation in tree.find_all(exp.SetOperation):
        if operation.args.get("limit") and not operation.args.get("offset") and isinstance(operation.this, exp.Select):
            for name in ("order", "limit"):
                operation.this.set(name, operation.args[name].copy())
            operation.set("this", exp.select("*").from_(operation.this.copy().subquery("cut")))


@listed(SWITCHES)
def keys_that_are_computed_are_columns(tree: exp.Expr) -> None:
    """GROUP BY a + 1 as GROUP BY a; wrong for ABS(a) and COALESCE(a, 0)."""
    for group in tree.find_all(exp.Group):
        for key in list(group.expressions):
            column = key.find(exp.Column)
            if column is not None and not isinstance(key, exp.Column):
                key.replace(column.copy())


@listed(SWITCHES)
def correlated_rows_need_no_equality(tree: exp.Expr) -> None:
    """NOT IN with a condition that links both queries loses it."""
    for negation in tree.find_all(exp.Not):
        query = negation.this.args.get("query") if isinstance(negation.this, exp.In) else None
        inner = query.this if isinstance(query, exp.Subquery) else None
        if isinstance(inner, exp.Select) and not inner.args.get("group"):
            inner.set("where", None)


@listed(SWITCHES)
def nothing_is_less_than_null(tree: exp.Expr) -> None:
    """COALESCE over a comparison's side is dropped where the other one is a constant."""
    for compared in tree.find_all(exp.LT, exp.LTE):
        if isinstance(compared.this, exp.Coalesce) and isinstance(compared.expression, exp.Literal):
            compared.set("this", compared.this.this.copy())


def planted_in_plans(change: Callable[[Plan], Plan]) -> Callable[[Plan], Plan]:
    """List a change of one node as a rewrite of whole plans."""

    def everywhere(plan: Plan) -> Plan:
        match plan:
            case nodes.Unary():
                plan = replace(plan, input=everywhere(plan.input))
            case nodes.Binary():
                plan = replace(plan, left=everywhere(plan.left), right=everywhere(plan.right))
        return change(plan)

    PLANS[change.__name__] = lambda given: everywhere(given.plan)
    return change


@planted_in_plans
def distinct_goes_below_unions(plan: Plan) -> Plan:
    match plan:
        case nodes.Distinct(input=nodes.Union(left=left, right=right)):
            return nodes.Union(nodes.Distinct(left), nodes.Distinct(right))
    return plan


@planted_in_plans
def semijoins_of_unions_are_unions(plan: Plan) -> Plan:
    """A row with partners on both sides comes twice."""
    match plan:
        case nodes.Semijoin(left=left, right=nodes.Union(left=one, right=other), condition=condition):
            return nodes.Union(nodes.Semijoin(left, one, condition), nodes.Semijoin(left, other, condition))
    return plan


@planted_in_plans
def filters_above_left_joins_go_into_them(plan: Plan) -> Plan:
    match plan:
        case nodes.Filter(input=nodes.LeftJoin() as join):
            return replace(join, condition=plan.predicate)
    return plan


@planted_in_plans
def antijoins_of_filtered_rows_filter_first(plan: Plan) -> Plan:
    """What is filtered away on the right comes back on the left."""
    match plan:
        case nodes.Antijoin(right=nodes.Filter(input=inner)):
            return replace(plan, right=inner)
    return plan
