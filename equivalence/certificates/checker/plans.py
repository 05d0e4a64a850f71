"""What a plan means as a term: how often a row is in its output at an instant, after spec and paper, anew.

The plan is read from the JSON of docs/protocol.md. What is not known here has no certificates.
"""

from collections.abc import Mapping, Sequence
from itertools import count
from typing import Any, Final

from equivalence.certificates.checker.expressions import (
    both,
    either,
    equal,
    get,
    if_else,
    missing,
    no,
    null,
    some,
    sort_of,
    truth,
    value,
)
from equivalence.certificates.checker.terms import FALSE, ONE, ZERO, Refused, Signature, Term, num, op, var

FOLDS: Final = {
    "sum": "Sum",
    "avg": "Avg",
    "median": "Median",
    "mode": "Mode",
    "var_pop": "VarPop",
    "stddev_pop": "StddevPop",
    "var_samp": "VarSamp",
    "stddev_samp": "StddevSamp",
}
"""Aggregates of which nothing is known but that they are functions of the multiset of values."""
Row = Sequence[Term]


def times(*parts: Term) -> Term:
    return op("*", *parts, sort="Int")


def where(formula: Term) -> Term:
    return op("[]", formula, sort="Int")


def there(term: Term) -> Term:
    return op("<=", ONE, term, sort="Bool")


def at_most(left: Term, right: Term) -> Term:
    return op("<=", left, right, sort="Bool")


def less(left: Term, right: Term) -> Term:
    return op("<", left, right, sort="Bool")


def plus(*parts: Term) -> Term:
    return op("+", *parts, sort="Int")


def minus(left: Term, right: Term) -> Term:
    return plus(left, times(num(-1), right))


def monus(left: Term, right: Term) -> Term:
    return op("monus", left, right, sort="Int")


def least(left: Term, right: Term) -> Term:
    return op("min", left, right, sort="Int")


def total(variables: Row, body: Term) -> Term:
    return Term("sum", "", "Int", (body,), tuple(variables)) if variables else body


def some_row(variables: Row, body: Term) -> Term:
    return Term("exists", "", "Bool", (body,), tuple(variables)) if variables else body


def same_row(one: Row, other: Row) -> Term:
    return both(*map(equal, one, other))


class Meaning:
    """Plans over sources with these columns, of which these constraints are assumed."""

    def __init__(self, sources: Mapping[str, Any], constraints: Sequence[Mapping[str, Any]]) -> None:
        self.sources = {name: [(str(c), sort_of(t)) for c, t in columns] for name, columns in sources.items()}
        self.constraints = [self._checked(constraint) for constraint in constraints]
        self._names = count()

    def _checked(self, constraint: Mapping[str, Any]) -> Mapping[str, Any]:
        """A constraint, if it says something of columns that are there."""
        kind, source = constraint["kind"], constraint["source"]
        names = {name for name, _ in self.sources[source]}
        fields = {"NotNull": ["columns"], "Key": ["columns"], "References": ["columns", "target", "target_columns"]}
        if set(constraint) != {"kind", "source", *fields.get(kind, [])}:
            raise Refused(f"{kind} says something else")
        columns, target = constraint.get("columns", []), constraint.get("target_columns", [])
        if not set(columns) <= names or (kind == "References" and len(columns) != len(target)):
            raise Refused(f"{kind} is about columns of {source}")
        return constraint

    def times(self, plan: Mapping[str, Any], row: Row, time: Term) -> Term:
        """How often the row is in the plan's output at the instant."""
        inputs = plan.get("inputs", [])
        match plan["operator"]:
            case "Source":
                columns = [sort_of(t) for _, t in plan["columns"]]
                if columns != [s for _, s in self.sources[plan["name"]]] or columns != [v.sort for v in row]:
                    raise Refused(f"{plan['name']} has other columns")
                return self.stream(plan["name"], row, time)
            case "Filter":
                return times(where(truth(plan["predicate"], row, time)[0]), self.times(inputs[0], row, time))
            case "Map":
                before = self.row(inputs[0])
                images = [value(each, before, time) for each in plan["expressions"]]
                hit = same_row(row, images)
                return total(before, times(where(hit), self.times(inputs[0], before, time)))
            case "Distinct":
                return where(there(self.times(inputs[0], row, time)))
            case "Rstream":
                return self.times(inputs[0], row, time)
            case "Aggregation":
                made = self._values(plan["aggregates"], row, inputs[0], [], [], time)
                return made if plan["on_empty"] else times(where(self._any(inputs[0], [], [], time)), made)
            case "Grouping":
                keys, key = plan["keys"], row[: len(plan["keys"])]
                made = self._values(plan["aggregates"], row[len(keys) :], inputs[0], keys, key, time)
                return times(where(self._any(inputs[0], keys, key, time)), made)
            case "Union":
                return plus(*(self.times(each, row, time) for each in inputs))
            case "Difference":
                return monus(*(self.times(each, row, time) for each in inputs))
            case "Intersection":
                return least(*(self.times(each, row, time) for each in inputs))
            case "Product":
                return self._product(inputs, row, time)
            case "Join" | "LeftJoin" | "RightJoin" | "FullJoin" as kind:
                return self._join(kind, plan["condition"], inputs, row, time)
            case "Semijoin":
                partner = self._partner(plan["condition"], inputs[1], row, time, left=True)
                return times(where(partner), self.times(inputs[0], row, time))
            case "Antijoin":
                partner = self._partner(plan["condition"], inputs[1], row, time, left=True)
                return times(where(no(partner)), self.times(inputs[0], row, time))
            case "TimeWindow":
                return self._time_window(plan, row, time)
            case "CountWindow" | "PartitionedWindow":
                return self._rows_window(plan, row, time)
            case "LandmarkWindow":
                return self._landmark(plan, row, time)
            case "Istream" | "Dstream" as kind:
                now = self.times(inputs[0], row, time)
                past = times(where(at_most(ONE, time)), self.times(inputs[0], row, minus(time, ONE)))
                return monus(now, past) if kind == "Istream" else monus(past, now)
            case "Limit":
                return self._limit(plan, row, time)
            case other:
                raise Refused(f"there are no certificates of {other}")

    def new(self, sort: str) -> Term:
        return var(f"m{next(self._names)}", sort)

    def row(self, plan: Mapping[str, Any]) -> list[Term]:
        return [self.new(sort_of(type_)) for _, type_ in plan["columns"]]

    # Joins

    def _product(self, inputs: Sequence[Mapping[str, Any]], row: Row, time: Term) -> Term:
        width = len(inputs[0]["columns"])
        return times(self.times(inputs[0], row[:width], time), self.times(inputs[1], row[width:], time))

    def _join(self, kind: str, condition: Any, inputs: Sequence[Mapping[str, Any]], row: Row, time: Term) -> Term:
        width = len(inputs[0]["columns"])
        left, right = row[:width], row[width:]
        parts = [times(where(truth(condition, row, time)[0]), self._product(inputs, row, time))]
        if kind in ("LeftJoin", "FullJoin"):
            alone = no(self._partner(condition, inputs[1], left, time, left=True))
            padded = both(*map(missing, right), alone)
            parts.append(times(where(padded), self.times(inputs[0], left, time)))
        if kind in ("RightJoin", "FullJoin"):
            alone = no(self._partner(condition, inputs[0], right, time, left=False))
            padded = both(*map(missing, left), alone)
            parts.append(times(where(padded), self.times(inputs[1], right, time)))
        return plus(*parts)

    def _partner(self, condition: Any, other: Mapping[str, Any], row: Row, time: Term, *, left: bool) -> Term:
        partner = self.row(other)
        pair = [*row, *partner] if left else [*partner, *row]
        return some_row(partner, both(truth(condition, pair, time)[0], there(self.times(other, partner, time))))

    # Aggregation

    def _group(self, input: Mapping[str, Any], keys: Sequence[int], key: Row, time: Term) -> tuple[list[Term], Term]:
        member = self.row(input)
        alike = both(*(equal(member[k], v) for k, v in zip(keys, key, strict=True)))
        return member, times(where(alike), self.times(input, member, time))

    def _any(self, input: Mapping[str, Any], keys: Sequence[int], key: Row, time: Term) -> Term:
        return there(total(*self._group(input, keys, key, time)))

    def _values(
        self, aggregates: Any, row: Row, input: Mapping[str, Any], keys: Sequence[int], key: Row, time: Term
    ) -> Term:
        held = [self._aggregate(a, *self._group(input, keys, key, time), time) for a in aggregates]
        return where(both(*map(equal, row, held)))

    def _aggregate(self, of: Mapping[str, Any], rows: list[Term], often: Term, time: Term) -> Term:
        name, type_ = of["function"], of["type"]
        if name == "count rows":
            return some(total(rows, often))
        argument = value(of["argument"], rows, time)
        known = times(where(no(missing(argument))), often)
        if name == "count":
            return some(total(rows, known))
        plain = of["argument"]["type"]
        if name == "count distinct":
            return some(total(*self._set(rows, known, argument)))
        filled = there(total(rows, known))

        def unless_none(result: Term) -> Term:
            return if_else(filled, result, null(result.sort))

        if name == "sum" and type_ == "int":
            return unless_none(some(total(rows, times(known, get(argument)))))
        if name == "avg" and plain == "int":
            sums = total(rows, times(known, get(argument))), total(rows, known)
            ratio = op("ratio", *sums, sort="Real")
            return unless_none(some(Term("call", "rounded", "Real", (ratio,), signature=Signature(("Real",)))))
        if name in ("min", "max"):
            (variable,), once = self._set(rows, known, argument)
            return unless_none(some(Term("fold", name, variable.sort, (once,), (variable,))))
        if name in FOLDS:
            variable = self.new(argument.sort)
            body = total(rows, times(where(equal(variable, argument)), known))
            fold = Term("fold", f"{FOLDS[name]} of {plain.upper()}", sort_of(type_), (body,), (variable,))
            return unless_none(fold)
        raise Refused(f"there are no certificates of {name} of {plain}")

    def _set(self, rows: list[Term], often: Term, argument: Term) -> tuple[list[Term], Term]:
        """1 for every plain value that is there."""
        plain = self.new(argument.sort.removeprefix("Nullable"))
        return [plain], where(there(total(rows, times(where(equal(some(plain), argument)), often))))

    # Limits

    def _limit(self, plan: Mapping[str, Any], row: Row, time: Term) -> Term:
        (input,), keys, ranking = plan["inputs"], plan["keys"], plan["ranking"]
        member, often = self._group(input, keys, [row[k] for k in keys], time)
        here = self.times(input, row, time)
        ahead = _ahead(plan["order"], member, row)
        first = num(int(plan["offset"] or 0))
        stop = None if plan["count"] is None else num(int(plan["offset"] or 0) + int(plan["count"]))
        if ranking == "rows":
            peers = both(*(equal(member[k["column"]], row[k["column"]]) for k in plan["order"]))
            place = total(member, times(where(either(ahead, both(peers, precedes(member, row)))), often))
            end = plus(place, here) if stop is None else least(plus(place, here), stop)
            return monus(end, plus(first, monus(place, first)))
        if ranking != "rank":
            raise Refused(f"there are no certificates of limits by {ranking}")
        place = total(member, times(where(ahead), often))
        kept = [at_most(first, place)] + ([] if stop is None else [less(place, stop)])
        return times(where(both(*kept)), here)

    # Windows

    def _time_window(self, plan: Mapping[str, Any], row: Row, time: Term) -> Term:
        slide = num(int(plan["slide"]))
        boundary = minus(time, op("mod", time, slide, sort="Int"))
        u = self.new("Int")
        inside = [at_most(ZERO, u), at_most(u, boundary)]
        if plan["size"] is not None:
            inside.append(less(minus(boundary, num(int(plan["size"]))), u))
        return total([u], times(where(both(*inside)), self.times(plan["inputs"][0], row, u)))

    def _landmark(self, plan: Mapping[str, Any], row: Row, time: Term) -> Term:
        start, u, first = num(int(plan["start"])), self.new("Int"), num(int(plan["start"]))
        if plan["reset"] is not None:
            first = minus(time, op("mod", minus(time, start), num(int(plan["reset"])), sort="Int"))
        inside = both(at_most(start, time), at_most(first, u), at_most(u, time))
        return total([u], times(where(inside), self.times(plan["inputs"][0], row, u)))

    def _rows_window(self, plan: Mapping[str, Any], row: Row, time: Term) -> Term:
        """Σ over the instants of the occurrences of the row then that are among the last of their partition."""
        (input,), keys = plan["inputs"], plan.get("keys", [])
        key, rows, slide = [row[k] for k in keys], num(int(plan["rows"])), num(int(plan["slide"]))
        u = self.new("Int")
        past = where(both(at_most(ZERO, u), at_most(u, time)))
        here, later = self.times(input, row, u), self._between(input, keys, key, plus(u, ONE), time)
        if plan["ties"]:
            return total([u], times(past, where(less(later, rows)), here))
        member, often = self._group(input, keys, key, u)
        after = plus(later, total(member, times(where(precedes(row, member)), often)))
        if slide == ONE:
            return total([u], times(past, least(here, monus(rows, after))))
        skipped = op("mod", self._between(input, keys, key, ZERO, time), slide, sort="Int")
        unseen = monus(skipped, after)
        kept = least(monus(here, unseen), monus(plus(skipped, rows), plus(after, unseen)))
        return total([u], times(past, kept))

    def _between(self, input: Mapping[str, Any], keys: Sequence[int], key: Row, first: Term, last: Term) -> Term:
        """How many occurrences of a partition there are from the first to the last instant."""
        v = self.new("Int")
        member, often = self._group(input, keys, key, v)
        return total([v, *member], times(where(both(at_most(first, v), at_most(v, last))), often))

    # Sources

    def stream(self, source: str, row: Row, time: Term, above: tuple[str, ...] = ()) -> Term:
        """How often a row is in a stream that keeps what is declared of it.

        A key makes a stream two functions of key and instant: whether there is a row, and its other columns.
        """
        about = [c for c in self.constraints if c["source"] == source]
        kinds = {c["kind"] for c in about}
        if not kinds <= {"NotNull", "Key", "References", "DuplicateFree", "UniqueInstants", "Lasting"}:
            raise Refused(f"there are no certificates with {', '.join(sorted(kinds))}")
        if "Lasting" in kinds and time != ZERO:
            return times(where(at_most(ZERO, time)), self.stream(source, row, ZERO, above))
        names = [name for name, _ in self.sources[source]]
        led = [self._led(c, row, time, (*above, source)) for c in about if c["kind"] == "References"]
        present = sorted({names.index(n) for c in about if c["kind"] in ("NotNull", "Key") for n in c["columns"]})
        keys = [tuple(names.index(n) for n in c["columns"]) for c in about if c["kind"] == "Key"]
        keys += [tuple(range(len(names)))] * ("DuplicateFree" in kinds) + [()] * ("UniqueInstants" in kinds)
        if not keys:
            signature = Signature((*(v.sort for v in row), "Int"), "stream", tuple(present))
            call = Term("call", f"stream {source}", "Int", (*row, time), signature=signature)
            return times(where(both(*led)), call)
        rows = [self._by_key(source, key, row, time) for key in keys]
        return where(both(at_most(ZERO, time), *(no(missing(row[p])) for p in present), *rows, *led))

    def _by_key(self, source: str, key: tuple[int, ...], row: Row, time: Term) -> Term:
        arguments = (*(row[k] for k in key), time)
        signature, name = Signature(tuple(a.sort for a in arguments)), f"{source} by {key}"
        rest = [i for i in range(len(row)) if i not in key]
        values = [Term("call", f"column {i} {name}", row[i].sort, arguments, signature=signature) for i in rest]
        is_there = Term("call", f"there {name}", "Bool", arguments, signature=signature)
        return both(is_there, *(equal(row[i], v) for i, v in zip(rest, values, strict=True)))

    def _led(self, reference: Mapping[str, Any], row: Row, time: Term, above: tuple[str, ...]) -> Term:
        """A reference without NULL has a target at the same instant."""
        target = reference["target"]
        if target not in self.sources or target in above:
            return no(FALSE)
        other = [self.new(sort) for _, sort in self.sources[target]]
        mine, theirs = ([n for n, _ in self.sources[s]] for s in (reference["source"], target))
        values = [row[mine.index(c)] for c in reference["columns"]]
        targets = [other[theirs.index(c)] for c in reference["target_columns"]]
        hit = both(same_row(values, targets), there(self.stream(target, other, time, above)))
        return either(*map(missing, values), some_row(other, hit))


def precedes(one: Row, other: Row) -> Term:
    sorts = tuple(v.sort for v in one)
    signature = Signature(sorts * 2, "order")
    return Term("call", "before " + " ".join(sorts), "Bool", (*one, *other), signature=signature)


def _ahead(order: Sequence[Mapping[str, Any]], one: Row, other: Row) -> Term:
    if not order:
        return FALSE
    key, *rest = order
    a, b = one[key["column"]], other[key["column"]]
    return either(_before(key, a, b), both(equal(a, b), _ahead(rest, one, other)))


def _before(key: Mapping[str, Any], a: Term, b: Term) -> Term:
    forward = precedes([b], [a]) if key["descending"] else precedes([a], [b])
    if key["nulls_last"] == key["descending"]:
        return forward
    first, last = (b, a) if key["nulls_last"] else (a, b)
    return either(both(missing(first), no(missing(last))), both(no(missing(a)), no(missing(b)), forward))
