"""The search: schemes that no stream tells apart, those that are proved equal, and a basis of these."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Final, Protocol, TypeVar

from equivalence.cases.choices import SeededChoices
from equivalence.cases.random_rows import RowGenerator
from equivalence.cases.random_streams import choose_stream
from equivalence.discovery.basis import Equation, canonical, follows
from equivalence.discovery.classes import Classes, variables
from equivalence.discovery.scheme import Scheme, SchemeFilling, schemes
from equivalence.prover.attempt import Proof, Statement, attempted
from equivalence.prover.meaning.open_numbers import DecisionPath
from equivalence.prover.meaning.symbolic import SymbolicInstance
from equivalence.prover.refute.plans import refute
from equivalence.rules.instances import Instance
from semantics import Plan, Query, Stream, Type, case, col, evaluate, source
from semantics.evaluate import Snapshots, apply

T = TypeVar("T")
CASES: Final = 24
"""Schemes with the same results in all of these cases are candidates for a rule."""
WINDOW_SIZES: Final = ((1, 2), (2, 3), (3, 2), (2, 2))
HORIZON: Final = 6
OPERATORS_IN_CLOSURE: Final = 2
"""A rule is redundant if it follows from others through schemes of at most this size."""
_X: Final = col("x")
PREDICATES: Final = (_X > 0, (_X < 1) | _X.is_null())
FUNCTIONS: Final = (case((_X > 0, 1), default=0), 1 - _X)
"""They take turns, so that what is true of one function only does not look like a rule."""

_A, _B, _C = map(Scheme, "ABC")


def _of(symbol: str, *below: Scheme) -> Scheme:
    return Scheme(symbol, below)


PAPER: Final[dict[str, Equation]] = {
    "(9)": (_of("×", _of("×", _A, _B), _C), _of("×", _A, _of("×", _B, _C))),
    "(10)": (_of("σ", _of("∪", _A, _B)), _of("∪", _of("σ", _A), _of("σ", _B))),
    "(11)": (_of("δ", _of("×", _A, _B)), _of("×", _of("δ", _A), _of("δ", _B))),
    "(12)": (_of("ω1", _A), _A),
    "(13)": (_of("σ", _of("ωw", _A)), _of("ωw", _of("σ", _A))),
    "(14)": (_of("μ", _of("ωw", _A)), _of("ωw", _of("μ", _A))),
    "(15)": (_of("ωw", _of("∪", _A, _B)), _of("∪", _of("ωw", _A), _of("ωw", _B))),
}
"""The rules of the paper, as schemes."""
TEMPTING: Final[tuple[Equation, ...]] = (
    (_of("ωv", _of("ωw", _A)), _of("ωv+w−1", _A)),
    (_of("δ", _of("ωw", _A)), _of("ωw", _of("δ", _A))),
    (_of("ωw", _of("−", _A, _B)), _of("−", _of("ωw", _A), _of("ωw", _B))),
)
"""Equations that look like rules: each is refuted by a model."""


@dataclass(frozen=True)
class Discovered:
    """What was found: the basis with its proofs, what was refuted, what stayed open, and what follows."""

    schemes: int
    basis: tuple[tuple[Equation, Proof], ...]
    refuted: tuple[Equation, ...]
    undecided: tuple[Equation, ...]
    derived: int
    left: int = 0
    """How many candidates, the largest ones, were not looked at."""

    @property
    def paper(self) -> dict[str, bool]:
        """For each rule of the paper, whether it is in the basis or follows from it."""
        rules = [equation for equation, _ in self.basis]
        return {name: follows(equation, rules) for name, equation in PAPER.items()}

    @property
    def beyond_the_paper(self) -> list[Equation]:
        """The rules about windows that do not follow from those of the paper."""
        return [e for e, _ in self.basis if "ω" in f"{e[0]}{e[1]}" and not follows(e, [*PAPER.values()])]


class Tracker(Protocol):
    """Yields all items in order, and may show how far it is."""

    def __call__(self, items: Sequence[T], describe: str, /) -> Iterable[T]: ...


def without_tracking(items: Sequence[T], describe: str) -> Iterable[T]:  # noqa: ARG001  # shows nothing
    """The items as they are."""
    return items


def discover(operators: int, most: int | None = None, through: Tracker = without_tracking) -> Discovered:
    """All rules about schemes of at most this many operators, or about the smallest `most` candidates among them.

    All items of work go through `through`, which may show progress. An interruption ends the search with what it has.
    """
    all_schemes = [s for s in dict.fromkeys(s for n in range(operators + 1) for s in schemes(n)) if s.width]
    all_candidates = list(candidates(all_schemes, through))
    search = RuleSearch(Classes([*all_schemes, *(side for equation in all_candidates for side in equation)]))
    with suppress(KeyboardInterrupt):
        for equation in through(all_candidates[:most], "candidates"):
            search.look_at(equation)
    return search.result(len(all_schemes), len(all_candidates), through)


@dataclass
class RuleSearch:
    """What was found until now."""

    known: Classes
    basis: list[tuple[Equation, Proof]] = field(default_factory=list)
    refuted: list[Equation] = field(default_factory=lambda: [e for e in TEMPTING if decided(e)[1]])
    undecided: list[Equation] = field(default_factory=list)
    derived: int = 0
    seen: int = 0

    def result(self, schemes: int, candidates: int, through: Tracker) -> Discovered:
        """The rules without those that follow from others, and how many candidates were not looked at."""
        basis = _irredundant(self.basis, through)
        derived, left = self.derived + len(self.basis) - len(basis), candidates - self.seen
        return Discovered(schemes, tuple(basis), tuple(self.refuted), tuple(self.undecided), derived, left)

    def look_at(self, equation: Equation) -> None:
        """One more candidate: it follows, or is proved, refuted, or neither."""
        if self.known.same(*equation):
            self.derived += 1
        else:
            self._decide(equation)
        self.seen += 1

    def _decide(self, equation: Equation) -> None:
        proof, wrong = decided(equation)
        if proof is None:
            (self.refuted if wrong else self.undecided).append(equation)
        else:
            self.known.learn(equation)
            self.basis.append((equation, proof))


def _irredundant(basis: list[tuple[Equation, Proof]], through: Tracker) -> list[tuple[Equation, Proof]]:
    """The rules without those that follow from the others, the largest of them first: small ones say more."""
    needed = list(basis)
    with suppress(KeyboardInterrupt):
        for rule in through(basis[::-1], "rules that may follow"):
            others = [equation for equation, _ in needed if equation != rule[0]]
            if follows(rule[0], others) or _closed(others, rule[0]).same(*rule[0]):
                needed.remove(rule)
    return needed


def _closed(rules: Sequence[Equation], *about: Equation) -> Classes:
    """What the rules make equal among schemes of up to two operators and their own sides."""
    small = (scheme for n in range(OPERATORS_IN_CLOSURE + 1) for scheme in schemes(n) if scheme.width)
    classes = Classes([*small, *(side for equation in (*rules, *about) for side in equation)])
    classes.learn(*rules)
    return classes


def candidates(among: Sequence[Scheme], through: Tracker) -> Iterator[Equation]:
    """The smallest of each class, with all others of it; smaller equations first, and those that say more."""
    classes: dict[tuple[int, ...], list[Scheme]] = {}
    for scheme, print_ in zip(among, _prints(among, through), strict=True):
        classes.setdefault(print_, []).append(scheme)
    pairs = [canonical((other, least)) for least, *others in classes.values() for other in others]
    yield from sorted(dict.fromkeys(pairs), key=_order)


def _order(equation: Equation) -> tuple[int, int, int, str, str]:
    left, right = equation
    return max(left.size, right.size), left.size + right.size, -len(variables(equation)), str(left), str(right)


def decided(equation: Equation) -> tuple[Proof | None, bool]:
    """A proof, or whether there is a counterexample."""
    path = DecisionPath([])
    filling = symbolic(path)
    left, right = (filling.query(scheme).plan for scheme in equation)
    instance = Instance(left, right)
    statement = Statement(instance, known=tuple(path.known))
    proof = attempted(statement, thorough=True)
    if proof.found:
        return proof, False
    return None, refute(instance, known=tuple(path.known)).counterexample is not None


def symbolic(path: DecisionPath) -> SchemeFilling:
    """Everything left open."""
    free = SymbolicInstance(path)
    streams = {name: source(name, x=int) for name in "ABC"}
    predicate, function = free.predicate("p", streams["A"]), free.function("f", streams["A"], type_=Type.INT)
    return SchemeFilling(streams, predicate, function, free.number("v"), free.number("w"))


def _concrete(number: int) -> SchemeFilling:
    """What is open, filled in for one of the cases."""
    streams = {name: source(name, x=int) for name in "ABC"}
    turn = number // len(WINDOW_SIZES) % len(FUNCTIONS)
    return SchemeFilling(streams, PREDICATES[turn], FUNCTIONS[turn], *WINDOW_SIZES[number % len(WINDOW_SIZES)])


def _prints(among: Sequence[Scheme], through: Tracker) -> list[tuple[int, ...]]:
    """How many columns each scheme has, and what it gives on all cases, or on those that tell it from all others."""
    prints: dict[Scheme, tuple[int, ...]] = {s: (s.width or 0,) for s in among}
    alike = list(among)
    for number in through(range(CASES), "plans on streams"):
        filling = _concrete(number)
        given = _outputs([filling.query(scheme) for scheme in alike], f"discover/{number}")
        prints |= {scheme: (*prints[scheme], output) for scheme, output in zip(alike, given, strict=True)}
        seen = Counter(prints[scheme] for scheme in alike)
        alike = [scheme for scheme in alike if seen[prints[scheme]] > 1]
    return [prints[scheme] for scheme in among]


def _outputs(queries: Sequence[Query], seed: str) -> list[int]:
    """Numbers that are equal for equal outputs; shared subplans are evaluated once."""
    streams, known, numbered = _streams(seed), dict[Plan, Snapshots](), dict[Snapshots, int]()

    def of(plan: Plan) -> Snapshots:
        if plan not in known:
            inputs = tuple(map(of, plan.inputs))
            known[plan] = apply(plan, inputs) if inputs else evaluate(plan, streams, HORIZON).snapshots
        return known[plan]

    return [numbered.setdefault(of(query.plan), len(numbered)) for query in queries]


def _streams(seed: str) -> dict[str, Stream]:
    choices = SeededChoices(seed)
    rows = RowGenerator(choices, awkward=False)
    return {name: choose_stream(choices, source(name, x=int).schema, 6, rows) for name in "ABC"}
