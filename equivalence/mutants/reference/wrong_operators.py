"""Wrong snapshot-reducible operators: lost or invented duplicates, NULLs and NaNs that are not treated as values."""

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from equivalence.mutants.mutant import Mutant
from equivalence.mutants.reference.wrong_reference import WrongOperator, at, wrong_operator
from semantics import Expression, Multiset, Plan, Row
from semantics import plan as op
from semantics.aggregate import Sum
from semantics.algebra import EMPTY, distinct
from semantics.evaluate import key_of
from semantics.expression import evaluate
from semantics.ordering import SortKey

OuterJoin = op.LeftJoin | op.RightJoin | op.FullJoin


def _null(row: Row) -> bool:
    return None in row


def _nan(row: Row) -> bool:
    return any(value != value for value in row)


def _likely(condition: Expression, row: Row) -> bool:
    """TRUE or unknown."""
    return evaluate(condition, row) is not False


def _collapsed(node: Plan, *inputs: Multiset) -> Multiset:
    return distinct(at(node, *inputs))


def _of_sets(node: Plan, *inputs: Multiset) -> Multiset:
    return at(node, *map(distinct, inputs))


def _apart(strange: Callable[[Row], bool], wrong: WrongOperator) -> WrongOperator:
    """The wrong operator for strange rows, the right one for the others."""

    def mixed(node: Plan, *inputs: Multiset) -> Multiset:
        odd = wrong(node, *(rows.filter(strange) for rows in inputs))
        return odd + at(node, *(rows.filter(lambda row: not strange(row)) for rows in inputs))

    return mixed


def _first_input(node: Plan, rows: Multiset, *others: Multiset) -> Multiset:
    return rows


def _nothing(node: Plan, *inputs: Multiset) -> Multiset:
    return EMPTY


def _counted(node: op.Limit, more: int) -> op.Limit:
    return node if node.count is None else replace(node, count=node.count + more)


def _sorted(node: op.Limit, falls: Callable[[SortKey], bool]) -> op.Limit:
    return replace(node, order=tuple(replace(k, descending=falls(k), nulls_last=k.ends_with_nulls) for k in node.order))


def _with_nulls(node: op.Limit, *, last: bool) -> op.Limit:
    return replace(node, order=tuple(replace(key, nulls_last=last) for key in node.order))


def _ranked_densely(node: op.Limit) -> op.Limit:
    return replace(node, ranking="dense") if node.ranking == "rank" else node


def _has_group(node: op.Limit, row: Row) -> bool:
    return not any(row[key] is None for key in node.keys)


def _semijoin_multiplies(node: op.Semijoin, l: Multiset, r: Multiset) -> Multiset:
    pairs = Multiset({a + b: n * m for a, n in l.items() for b, m in r.items()})
    return pairs.filter(lambda row: evaluate(node.condition, row) is True).map(lambda row: row[: len(node.schema)])


def _not_in(node: op.Antijoin, l: Multiset, r: Multiset) -> Multiset:
    return l.filter(lambda a: not any(_likely(node.condition, a + b) for b in r.support))


def _inner(node: OuterJoin, l: Multiset, r: Multiset) -> Multiset:
    return at(op.Join(node.left, node.right, node.condition), l, r)


def _pads_everyone(node: op.LeftJoin, l: Multiset, r: Multiset) -> Multiset:
    """Every row of the left side with NULLs, also those with a partner."""
    return _inner(node, l, r) + l.map(lambda row: row + (None,) * len(node.right.schema))


def _pads_once(node: OuterJoin, l: Multiset, r: Multiset) -> Multiset:
    inner = _inner(node, l, r)
    return inner + distinct(at(node, l, r) - inner)


def _left_part(node: OuterJoin, l: Multiset, r: Multiset) -> Multiset:
    return at(op.LeftJoin(node.left, node.right, node.condition), l, r)


def _right_part(node: OuterJoin, l: Multiset, r: Multiset) -> Multiset:
    return at(op.RightJoin(node.left, node.right, node.condition), l, r)


def _nothing_without_right(node: Plan, l: Multiset, r: Multiset) -> Multiset:
    return at(node, l, r) if r else EMPTY


def _groups(node: op.Grouping, keep: Callable[[Row], bool], rows: Multiset) -> Multiset:
    return at(node, rows.filter(lambda row: keep(key_of(node.keys)(row))))


def _nan_groups(node: op.Grouping, rows: Multiset) -> Multiset:
    """Every row with NaN in its key is a group of its own."""
    key = key_of(node.keys)
    alone = [Multiset([row]) for row in rows.filter(lambda row: _nan(key(row)))]
    return Multiset.sum(item for rows_ in alone for item in at(node, rows_).items()) + _groups(
        node, lambda group: not _nan(group), rows
    )


def _sums_to_zero(node: op.Aggregation | op.Grouping, rows: Multiset) -> Multiset:
    """SUM of nothing is 0."""
    first = len(node.schema) - len(node.aggregates)
    sums = {first + i for i, aggregate in enumerate(node.aggregates) if isinstance(aggregate, Sum)}
    return at(node, rows).map(lambda row: tuple(0 if v is None and i in sums else v for i, v in enumerate(row)))


_TABLE: Final[list[tuple[str, type[Plan], WrongOperator]]] = [
    ("filter keeps unknown", op.Filter, lambda node, s: s.filter(lambda row: _likely(node.predicate, row))),
    ("filter collapses duplicates", op.Filter, _collapsed),
    ("filter keeps what is not true", op.Filter, lambda node, s: s - at(node, s)),
    ("filter drops rows with NULL", op.Filter, _apart(_null, _nothing)),
    ("filter keeps everything", op.Filter, _first_input),
    ("map collapses duplicates", op.Map, _collapsed),
    ("map drops rows with NULL", op.Map, _apart(_null, _nothing)),
    ("map drops NULL results", op.Map, lambda node, s: at(node, s).filter(lambda row: not _null(row))),
    ("map sees no duplicates", op.Map, _of_sets),
    ("union of sets", op.Union, _collapsed),
    ("union takes the maximum", op.Union, lambda node, l, r: l.combine(r, max)),
    ("union of each side's set", op.Union, _of_sets),
    ("union forgets the right", op.Union, _first_input),
    ("union needs both sides", op.Union, lambda node, l, r: l + r if l and r else EMPTY),
    ("product loses right multiplicity", op.Product, lambda node, l, r: at(node, l, distinct(r))),
    ("product loses left multiplicity", op.Product, lambda node, l, r: at(node, distinct(l), r)),
    ("product adds multiplicities", op.Product, lambda node, l, r: Multiset({a + b: n + m for a, n in l.items() for b, m in r.items()})),
    ("product swaps its sides", op.Product, lambda node, l, r: Multiset({b + a: n * m for a, n in l.items() for b, m in r.items()})),
    ("difference of sets", op.Difference, lambda node, l, r: l.filter(lambda row: row not in r)),
    ("difference loses duplicates", op.Difference, _collapsed),
    ("difference is symmetric", op.Difference, lambda node, l, r: (l - r) + (r - l)),
    ("difference takes away one", op.Difference, lambda node, l, r: l - distinct(r)),
    ("difference: NULL is never equal", op.Difference, _apart(_null, _first_input)),
    ("difference: NaN is never equal", op.Difference, _apart(_nan, _first_input)),
    ("intersection of sets", op.Intersection, _collapsed),
    ("intersection keeps the left", op.Intersection, lambda node, l, r: l.filter(lambda row: row in r)),
    ("intersection takes the maximum", op.Intersection, lambda node, l, r: l.combine(r, lambda n, m: max(n, m) if n and m else 0)),
    ("intersection: NULL is never equal", op.Intersection, _apart(_null, _nothing)),
    ("intersection: NaN is never equal", op.Intersection, _apart(_nan, _nothing)),
    ("limit keeps one place more", op.Limit, lambda node, s: at(_counted(node, 1), s)),
    ("limit ignores its groups", op.Limit, lambda node, s: at(replace(node, keys=()), s)),
    ("limit ignores its offset", op.Limit, lambda node, s: at(replace(node, offset=0), s)),
    ("limit ignores its order", op.Limit, lambda node, s: at(replace(node, order=()), s)),
    ("limit sorts the other way", op.Limit, lambda node, s: at(_sorted(node, lambda key: not key.descending), s)),
    ("limit never falls", op.Limit, lambda node, s: at(_sorted(node, lambda _: False), s)),
    ("limit sorts by its first column only", op.Limit, lambda node, s: at(replace(node, order=node.order[:1]), s)),
    ("limit puts NULLs first", op.Limit, lambda node, s: at(_with_nulls(node, last=False), s)),
    ("limit puts NULLs last", op.Limit, lambda node, s: at(_with_nulls(node, last=True), s)),
    ("limit numbers ties", op.Limit, lambda node, s: at(replace(node, ranking="rows"), s)),
    ("limit takes ranks for dense ones", op.Limit, lambda node, s: at(_ranked_densely(node), s)),
    ("limit collapses copies", op.Limit, _of_sets),
    ("limit loses NULL groups", op.Limit, lambda node, s: at(node, s.filter(lambda row: _has_group(node, row)))),
    ("distinct does nothing", op.Distinct, _first_input),
    ("distinct keeps one row", op.Distinct, lambda node, s: Multiset(list(s)[:1])),
    ("distinct: NULL is never equal", op.Distinct, _apart(_null, _first_input)),
    ("distinct: NaN is never equal", op.Distinct, _apart(_nan, _first_input)),
    ("distinct drops duplicates altogether", op.Distinct, lambda node, s: Multiset({row: 1 for row, n in s.items() if n == 1})),
    ("distinct halves", op.Distinct, lambda node, s: Multiset({row: (n + 1) // 2 for row, n in s.items()})),
    ("join on unknown", op.Join, lambda node, l, r: Multiset({a + b: n * m for a, n in l.items() for b, m in r.items() if _likely(node.condition, a + b)})),
    ("join collapses duplicates", op.Join, _collapsed),
    ("join loses right multiplicity", op.Join, lambda node, l, r: at(node, l, distinct(r))),
    ("join finds one partner", op.Join, lambda node, l, r: Multiset.sum((next(iter(at(node, Multiset([a]), r))), n) for a, n in l.items() if at(node, Multiset([a]), r))),
    ("semijoin multiplies", op.Semijoin, _semijoin_multiplies),
    ("semijoin collapses duplicates", op.Semijoin, _collapsed),
    ("semijoin on unknown", op.Semijoin, lambda node, l, r: l.filter(lambda a: any(_likely(node.condition, a + b) for b in r.support))),
    ("antijoin drops rows if the condition is unknown", op.Antijoin, _not_in),
    ("antijoin is a semijoin", op.Antijoin, lambda node, l, r: l - at(node, l, r)),
    ("antijoin collapses duplicates", op.Antijoin, _collapsed),
    ("antijoin needs a right side", op.Antijoin, _nothing_without_right),
    ("left join drops rows without a partner", op.LeftJoin, _inner),
    ("left join pads everyone", op.LeftJoin, _pads_everyone),
    ("left join pads equal rows once", op.LeftJoin, _pads_once),
    ("left join needs a right side", op.LeftJoin, _nothing_without_right),
    ("right join drops rows without a partner", op.RightJoin, _inner),
    ("right join pads equal rows once", op.RightJoin, _pads_once),
    ("right join is a left join", op.RightJoin, _left_part),
    ("full join forgets the right", op.FullJoin, _left_part),
    ("full join forgets the left", op.FullJoin, _right_part),
    ("full join joins twice", op.FullJoin, lambda node, l, r: _left_part(node, l, r) + _right_part(node, l, r)),
    ("full join pads equal rows once", op.FullJoin, _pads_once),
    ("aggregation fills the gap", op.Aggregation, lambda node, s: at(replace(node, on_empty=True), s)),
    ("total aggregation has the gap", op.Aggregation, lambda node, s: at(replace(node, on_empty=False), s)),
    ("aggregation sees no duplicates", op.Aggregation, _of_sets),
    ("aggregation drops rows with NULL", op.Aggregation, lambda node, s: at(node, s.filter(lambda row: not _null(row)))),
    ("SUM of nothing is 0", op.Aggregation, _sums_to_zero),
    ("grouping loses NULL groups", op.Grouping, lambda node, s: _groups(node, lambda group: not _null(group), s)),
    ("grouping sees no duplicates", op.Grouping, _of_sets),
    ("grouping: NaN is never equal", op.Grouping, _nan_groups),
    ("grouping loses single rows", op.Grouping, lambda node, s: at(node, s.filter(lambda row: sum(key_of(node.keys)(row) == key_of(node.keys)(other) for other in s) > 1))),
    ("grouping groups by the first key", op.Grouping, lambda node, s: at(node, Multiset.sum((_with_first_key(node, s, row), n) for row, n in s.items()))),
    ("SUM of no group member is 0", op.Grouping, _sums_to_zero),
    ("Rstream of sets", op.Rstream, _collapsed),
    ("Rstream drops rows with NULL", op.Rstream, _apart(_null, _nothing)),
]  # fmt: skip


def _with_first_key(node: op.Grouping, rows: Multiset, row: Row) -> Row:
    """The row with the other key columns of the first row that has the same first key."""
    first, *others = node.keys
    model = next(other for other in rows if other[first] is row[first] or other[first] == row[first])
    return tuple(model[i] if i in others else value for i, value in enumerate(row))


OPERATORS: Final[tuple[Mutant, ...]] = tuple(wrong_operator(*entry) for entry in _TABLE)
