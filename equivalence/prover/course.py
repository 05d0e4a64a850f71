"""One course that a run takes where what it compares are terms: led by values, which say how each comparison ends."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from operator import eq, floordiv, le, lt, mod, not_
from typing import Any, Final

from equivalence.prover.build import neg
from equivalence.prover.terms import FALSE, TRUE, Apply, Constant, Symbol, Term, Var

Calls = Mapping[tuple[str, tuple[Any, ...]], Any]
"""The values of functions, by their name and arguments."""
_OPERATIONS: Final[dict[str, Callable[..., Any]]] = {
    "and": lambda *parts: all(parts),
    "or": lambda *parts: any(parts),
    "not": not_,
    "=": eq,
    "<=": le,
    "<": lt,
    "+": lambda *parts: sum(parts),
    "div": floordiv,
    "mod": mod,
    "[]": int,
    "min": min,
    "monus": lambda left, right: max(left - right, 0),
    "null": lambda: None,
    "some": lambda value: value,
    "get": lambda value: value or 0,
    "is_null": lambda value: value is None,
}


@dataclass
class Course:
    """What was decided, in the order in which it came up."""

    variables: Mapping[str, Any]
    calls: Calls
    taken: list[Term] = field(default_factory=list)

    def decide(self, condition: Term) -> bool:
        if condition in (TRUE, FALSE):
            return condition == TRUE
        answer = bool(self.value(condition))
        self.taken.append(condition if answer else neg(condition))
        return answer

    def others(self, decided: int) -> list[list[Term]]:
        """The beginnings of other courses: each takes the other way once, after so many decisions."""
        return [[*self.taken[:i], neg(self.taken[i])] for i in range(decided, len(self.taken))]

    def value(self, term: Term) -> Any:
        """What a term is for these values; what they do not tell is 0 or NULL."""
        match term:
            case Var(name=name, sort=sort):
                return self.variables.get(name, None if sort.nullable is sort else 0)
            case Constant(value=value):
                return value
            case Apply(head="ite", arguments=(condition, then, otherwise)):
                return self.value(then if self.value(condition) else otherwise)
            case Apply(head="*", arguments=parts):
                return _product([self.value(part) for part in parts])
            case Apply(head=Symbol(name=name), arguments=arguments):
                return self.calls.get((name, tuple(map(self.value, arguments))))
            case Apply(head=str(head), arguments=arguments):
                return _OPERATIONS[head](*map(self.value, arguments))
            case _:
                raise AssertionError("nothing is summed up or looked for in a run")


def _product(values: Sequence[Any]) -> Any:
    result: Any = 1
    for value in values:
        result *= value
    return result
