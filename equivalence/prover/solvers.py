"""The two SMT solvers, asked with the same text; limits are counted in steps, so that answers do not depend on speed."""

from dataclasses import dataclass, field
from importlib.metadata import version
from typing import Any, Final, Literal

import cvc5
import z3

Answer = Literal["unsat", "sat", "unknown"]

Z3_STEPS: Final = 400_000
CVC5_STEPS: Final = 3_000_000
WALL: Final = 10_000
"""Milliseconds after which a query is given up in any case."""


def names() -> list[str]:
    """The solvers with their versions."""
    return [f"z3 {version('z3-solver')}", f"cvc5 {version('cvc5')}"]


@dataclass
class Z3:
    """Answers leaves, and remembers what it answered."""

    steps: int = Z3_STEPS
    asked: int = 0
    _known: dict[str, Answer] = field(default_factory=dict)
    _context: Any = field(default_factory=z3.Context)
    """One of its own, so that answers do not depend on what was asked elsewhere."""

    def ask(self, text: str, steps: int | None = None) -> Answer:
        if text not in self._known:
            self.asked += 1
            self._known[text] = _answer(_z3_solver(text, steps or self.steps, self._context).check())
        return self._known[text]


def z3_model(text: str, constants: list[str], steps: int) -> tuple[Answer, dict[str, Any]]:
    """The answer and, where it is sat, the values of integer and truth constants."""
    solver = _z3_solver(text, steps, z3.Context())
    answer = _answer(solver.check())
    if answer != "sat":
        return answer, {}
    model = solver.model()
    found = {declaration.name(): model[declaration] for declaration in model.decls() if declaration.arity() == 0}
    return answer, {name: _python(found[name]) for name in constants if name in found}


def cvc5_answer(text: str, steps: int = CVC5_STEPS) -> Answer:
    solver: Any = cvc5.Solver(cvc5.TermManager())
    solver.setOption("rlimit-per", str(steps))
    solver.setOption("tlimit-per", str(WALL))
    parser: Any = cvc5.InputParser(solver)
    parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, f"(set-logic ALL)\n{text}(check-sat)\n", "leaf")
    answer: Any = "unknown"
    while not (command := parser.nextCommand()).isNull():
        answer = str(command.invoke(solver, parser.getSymbolManager())).strip() or answer
    return "unsat" if answer == "unsat" else "sat" if answer == "sat" else "unknown"


def _z3_solver(text: str, steps: int, context: Any) -> Any:
    solver: Any = z3.Solver(ctx=context)
    solver.set("rlimit", steps)
    solver.set("timeout", WALL)
    solver.from_string(text)
    return solver


def _answer(result: Any) -> Answer:
    return "unsat" if result == z3.unsat else "sat" if result == z3.sat else "unknown"


def _python(value: Any) -> int | bool:
    return bool(z3.is_true(value)) if z3.is_bool(value) else int(value.as_long())
