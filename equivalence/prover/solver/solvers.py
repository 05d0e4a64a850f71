"""The two SMT solvers, asked with the same text. Limits count solver steps, so answers do not depend on speed."""

from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache, cached_property, lru_cache
from importlib.metadata import version
from typing import Any, Final, Literal

import cvc5
import z3

from equivalence.prover.terms.smtlib import unquoted

Answer = Literal["unsat", "sat", "unknown"]
Scalar = int | bool | Fraction | None

Z3_STEPS: Final = 400_000
STEPS_OF_EASY_QUESTION: Final = 20_000
"""Nearly all questions need fewer steps. They go to a solver at hand; only the others pay for a new one."""
CVC5_STEPS: Final = 1_000_000
CVC5_INSTANTIATIONS: Final[tuple[dict[str, str], ...]] = ({}, {"enum-inst": "true"})
STEPS_PER_PROOF: Final = 1_500_000
"""All questions of one proof together may take this many steps."""
ANSWERS_REMEMBERED: Final = 2_000
"""Answers of cvc5 in the cache. Each comes from a new solver, so it depends on the text alone and can be reused."""
MILLISECONDS_PER_QUESTION: Final = 60_000
"""A safety net: a question is given up after this time, however few steps it took."""


def names() -> list[str]:
    """The solvers with their versions."""
    return [f"z3 {_version('z3-solver')}", f"cvc5 {_version('cvc5')}"]


@cache
def _version(package: str) -> str:
    return version(package)


class BudgetExceeded(Exception):
    """A proof needs more steps than it may take."""


@dataclass
class Z3:
    """Answers questions, and remembers its answers."""

    steps: int = Z3_STEPS
    asked: int = 0
    spent: int = 0
    _known: dict[str, Answer] = field(default_factory=dict)

    @cached_property
    def _context(self) -> Any:
        """A context of its own, so that answers do not depend on what was asked elsewhere."""
        return z3.Context()

    @cached_property
    def _emptied(self) -> Any:
        """The solver at hand, reset after every question."""
        return z3.SimpleSolver(ctx=self._context)

    def with_full_budget(self) -> "Z3":
        """The same solver with its answers, for another proof that may spend as much again."""
        self.spent = 0
        return self

    def ask(self, text: str) -> Answer:
        """The answer; BudgetExceeded if the budget is spent and the answer is not known."""
        if text not in self._known:
            if self.spent > STEPS_PER_PROOF:
                raise BudgetExceeded(f"the leaves take more than {STEPS_PER_PROOF} solver steps")
            self._known[text] = self._asked(text)
        return self._known[text]

    def _asked(self, text: str) -> Answer:
        """By the solver at hand, and if that fails by a new one, which nothing asked before can lead astray."""
        answer = self._answer(self._emptied, text, min(STEPS_OF_EASY_QUESTION, self.steps))
        self._emptied.reset()
        return self._answer(z3.SimpleSolver(ctx=z3.Context()), text, self.steps) if answer == "unknown" else answer

    def model(self, text: str, steps: int) -> tuple[Answer, dict[str, Scalar]]:
        """The answer and, where it is sat, the values of all constants; NULL is None."""
        solver = z3.Solver(ctx=self._context)
        answer = self._answer(solver, text, steps)
        if answer != "sat":
            return answer, {}
        model = solver.model()
        return answer, {unquoted(d.name()): _scalar(model[d]) for d in model.decls() if d.arity() == 0}

    def _answer(self, solver: Any, text: str, steps: int) -> Answer:
        self.asked += 1
        solver.set(rlimit=steps, timeout=MILLISECONDS_PER_QUESTION)
        solver.from_string(text)
        before = _steps(solver)
        answer = _answer(solver.check())
        self.spent += min(steps, _steps(solver) - before)
        return answer


def _steps(solver: Any) -> int:
    """Steps made in the solver's context so far."""
    return int(solver.statistics().get_key_value("rlimit count"))


def _scalar(value: Any) -> Scalar:
    if z3.is_app(value) and value.decl().name().startswith("null_"):
        return None
    if z3.is_app(value) and value.decl().name().startswith("some_"):
        return _scalar(value.arg(0))
    if z3.is_bool(value):
        return bool(z3.is_true(value))
    if z3.is_int_value(value):
        return int(value.as_long())
    return (
        Fraction(value.numerator_as_long(), value.denominator_as_long()) if z3.is_rational_value(value) else Fraction(0)
    )


@lru_cache(ANSWERS_REMEMBERED)
def cvc5_answer(text: str) -> Answer:
    """The first definite answer, over the ways in which cvc5 can look for instances."""
    answers = (cvc5_within(text, options) for options in CVC5_INSTANTIATIONS)
    return next((answer for answer in answers if answer != "unknown"), "unknown")


def cvc5_within(text: str, options: dict[str, str], steps: int = CVC5_STEPS) -> Answer:
    """The answer of a new solver with these options, within so many steps."""
    solver: Any = cvc5.Solver(cvc5.TermManager())
    for name, value in options.items():
        solver.setOption(name, value)
    solver.setOption("rlimit-per", str(steps))
    solver.setOption("tlimit-per", str(MILLISECONDS_PER_QUESTION))
    parser: Any = cvc5.InputParser(solver)
    parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, f"(set-logic ALL)\n{text}(check-sat)\n", "leaf")
    answer: Any = "unknown"
    while not (command := parser.nextCommand()).isNull():
        answer = str(command.invoke(solver, parser.getSymbolManager())).strip() or answer
    return "unsat" if answer == "unsat" else "sat" if answer == "sat" else "unknown"


def _answer(result: Any) -> Answer:
    return "unsat" if result == z3.unsat else "sat" if result == z3.sat else "unknown"
