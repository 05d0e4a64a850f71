"""An attempt at one statement: two plans, or two expressions over lists, that are said to be equivalent.

Soundness rests on this module: it says what terms must be equal for a statement to hold, and under what hypotheses.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from equivalence.lists.equivalences import Equivalence
from equivalence.lists.list_expression import END, START, GivenList, Listing, SortList
from equivalence.prover.kernel.kernel import ProofKernel
from equivalence.prover.meaning.expressions import SORTS, ExpressionTerms
from equivalence.prover.meaning.list_elements import Element, Elements, NoSuchView, as_plan
from equivalence.prover.meaning.list_places import Places, same_lists
from equivalence.prover.meaning.plan import Translation
from equivalence.prover.meaning.sources import SourceTerms
from equivalence.prover.solver.solvers import Z3, BudgetExceeded
from equivalence.prover.terms.build import ZERO, at_most, conj, disj, equal, for_all, indicator, less, neg, positive
from equivalence.prover.terms.term import Fresh, SmtSort, Term, Var
from equivalence.rules.instances import Instance, ListInstance
from semantics import Plan
from semantics.constraint import Constraint, DuplicateFree

MOST_OPERATORS: Final = 60
"""Plans with more operators are not attempted."""


@dataclass(frozen=True)
class Statement:
    """Two sides that are said to be equivalent in some sense, wherever the known formulas hold."""

    instance: Instance | ListInstance
    equivalence: Equivalence = "snapshot-multiset"
    known: tuple[Term, ...] = ()


@dataclass(frozen=True)
class Proof:
    """An attempt at one statement: whether it succeeded, its steps and leaves, or what stopped it."""

    found: bool
    steps: tuple[str, ...] = ()
    leaves: tuple[str, ...] = ()
    stopped: str | None = None


def attempted(statement: Statement, *, thorough: bool, solver: Z3 | None = None) -> Proof:
    """Try to prove a statement; an attempt that cannot go on says what stopped it."""
    try:
        return _attempt(statement, thorough, (solver or Z3()).with_full_budget())
    except NoSuchView as reason:
        return Proof(False, stopped=f"outside the fragment: {reason}")
    except BudgetExceeded as reason:
        return Proof(False, stopped=str(reason))


def _attempt(statement: Statement, thorough: bool, solver: Z3) -> Proof:
    """The attempt in the view that the equivalence asks for."""
    instance = statement.instance
    if isinstance(instance, Instance):
        if statement.equivalence not in ("snapshot-multiset", "snapshot-set"):
            raise NoSuchView(f"the {statement.equivalence} equivalence of plans")
        return _snapshots(instance, statement, thorough, solver)
    match statement.equivalence:
        case "snapshot-multiset" | "snapshot-set":
            plans = Instance(as_plan(instance.left), as_plan(instance.right), instance.constraints)
            return _snapshots(plans, statement, thorough, solver)
        case "multiset" | "set":
            return _multisets(instance, statement, thorough, solver)
        case "list":
            return _lists(instance, statement, thorough, solver)
        case "snapshot-list":
            raise NoSuchView("the order of rows at an instant")


def _snapshots(instance: Instance, statement: Statement, thorough: bool, solver: Z3) -> Proof:
    """Both sides hold a row equally often, at a row and an instant of which nothing is known."""
    for plan in (instance.left, instance.right):
        if size(plan) > MOST_OPERATORS:
            return Proof(False, stopped=f"the plan has {size(plan)} operators, at most {MOST_OPERATORS} are attempted")
    fresh, time, sides = sides_of(instance)
    kernel = ProofKernel(fresh, (at_most(ZERO, time), *statement.known), thorough, solver)
    return _compared(kernel, sides, statement.equivalence == "snapshot-set")


def sides_of(instance: Instance) -> tuple[Fresh, Var, list[Term]]:
    """How often a row is on either side at an instant, as terms."""
    fresh, time = Fresh(), Var("t", SmtSort.INT)
    translation = Translation(fresh, SourceTerms(instance.sources, instance.constraints, fresh))
    row = translation.row(instance.left.schema, "e")
    return fresh, time, [translation.times(plan, row, time) for plan in (instance.left, instance.right)]


def _multisets(instance: ListInstance, statement: Statement, thorough: bool, solver: Z3) -> Proof:
    """Both sides hold an element equally often, whatever it is."""
    if instance.constraints:
        raise NoSuchView("constraints on the elements of a multiset")
    fresh = Fresh()
    row = tuple(fresh.var("e", SORTS[type_]) for type_ in instance.left.schema.types)
    start, end = Var("start", SmtSort.INT), Var("end", SmtSort.INT)
    elements = Elements(fresh, ExpressionTerms())
    sides = [elements.times(side, Element(row, start, end)) for side in (instance.left, instance.right)]
    kernel = ProofKernel(fresh, (at_most(ZERO, start), less(start, end), *statement.known), thorough, solver)
    return _compared(kernel, sides, statement.equivalence == "set")


def _compared(kernel: ProofKernel, sides: Sequence[Term], as_sets: bool) -> Proof:
    wanted = [indicator(positive(side)) for side in sides] if as_sets else sides
    found = kernel.equal(*wanted)
    return Proof(found, tuple(kernel.steps.taken), tuple(dict.fromkeys([*kernel.conditions, *kernel.leaves])))


def _lists(instance: ListInstance, statement: Statement, thorough: bool, solver: Z3) -> Proof:
    """Both sides hold the same occurrences in the same order. If both are sorted by everything, multisets suffice."""
    if _sorted_by_everything(instance.left) and _sorted_by_everything(instance.right):
        return _multisets(instance, statement, thorough, solver)
    fresh = Fresh()
    kernel = ProofKernel(fresh, statement.known, solver=solver)
    places = Places(fresh, ExpressionTerms(), kernel.steps.existence.tidy)
    kernel.hypotheses += tuple(_assumed(constraint, instance, places) for constraint in instance.constraints)
    found = same_lists(places.of(instance.left), places.of(instance.right), kernel.holds, fresh)
    return Proof(found, ("ORDER: the same occurrences in the same order",), tuple(dict.fromkeys(kernel.conditions)))


def _sorted_by_everything(of: Listing) -> bool:
    return isinstance(of, SortList) and {*of.by} == {*of.schema.names, START, END}


def _assumed(constraint: Constraint, instance: ListInstance, places: Places) -> Term:
    """What a constraint says of two places of a list."""
    if not isinstance(constraint, DuplicateFree):
        raise NoSuchView(f"a list of which is known that {constraint}")
    (one,) = places.of(GivenList(constraint.source, instance.sources[constraint.source]))
    other = one.renamed(places.fresh)
    a, b = one.element, other.element
    together = conj(*map(equal, a.row, b.row), less(a.start, b.end), less(b.start, a.end))
    (i,), (j,) = one.variables, other.variables
    return for_all((i, j), disj(neg(conj(one.guard, other.guard, together)), equal(i, j)))


def size(plan: Plan) -> int:
    return sum(1 for _ in plan.walk())
