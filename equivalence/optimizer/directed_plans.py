"""Plans that an optimizer changes are kept, and varied: so most of what is tried says something about it."""

from collections import Counter
from collections.abc import Hashable
from dataclasses import dataclass
from typing import Final

from equivalence.cases.choices import Choices, SeededChoices
from equivalence.cases.directed.comparisons import parts
from equivalence.cases.directed.resolve import input_of
from semantics import Expression, Plan
from semantics import plan as op
from semantics.expression import Ref, refs
from semantics.rebuild import with_expressions

ONE_CHOICE_IN: Final = (0, 24, 8, 4)
"""How many choices of a plan there are to each that is drawn anew; 0 leaves the plan as it is, over new streams."""

KEPT_OF_A_KIND: Final = 12


def features_of(plan: Plan) -> frozenset[str]:
    """What a plan is made of: its operators, aggregates, kinds of expressions, and of columns that these speak of.

    A rewrite may be right for one kind of condition and wrong for another, so that both should be varied.

    >>> from semantics import parse_plan
    >>> having = parse_plan("S(x int, y int) | group(x; sum(y) as s) | filter(s > 3)")
    >>> sorted(features_of(having))
    ['>', 'Constant', 'Filter', 'Filter of Sum', 'Grouping', 'Grouping of Source', 'Ref', 'Source', 'Sum']
    """
    found = {node.operator for node in plan.walk()}
    for node in plan.walk():
        with_expressions(node, lambda expression: _noted(found, expression))
        found |= {type(aggregate).__name__ for aggregate in getattr(node, "aggregates", ())}
        found |= {f"{node.operator} of {_makers(node, expression)}" for expression in node.own_expressions}
        if isinstance(node, op.Map) and isinstance(node.input, op.Grouping) and not _keeps_keys(node, node.input):
            found.add("Map without a key")
    return frozenset(found)


def _makers(node: Plan, expression: Expression) -> str:
    """What makes the columns of an expression, together: a rewrite may be right of each alone."""
    return " and ".join(sorted({maker_of(*input_of(node, ref.index)) for ref in refs(expression)})) or "nothing"


def _keeps_keys(above: op.Map, grouping: op.Grouping) -> bool:
    kept = {ref.index for expression in above.expressions for ref in refs(expression)}
    return kept >= set(range(len(grouping.keys)))


def maker_of(plan: Plan, index: int) -> str:
    """What makes a column: a source, an aggregate, a key, a kind of expression, or an operator that adds it."""
    match plan:
        case op.Source():
            return plan.operator
        case op.Grouping(keys=keys) if index < len(keys):
            return "key"
        case op.Grouping(keys=keys, aggregates=aggregates):
            return type(aggregates[index - len(keys)]).__name__
        case (
            op.Over(keys=keys) | op.SessionWindow(keys=keys) | op.PartitionedWindow(keys=keys) | op.Limit(keys=keys)
        ) if index in keys:
            return f"key of {plan.operator}"
        case op.Aggregation(aggregates=aggregates):
            return type(aggregates[index]).__name__
        case op.Map(expressions=expressions) if not isinstance(expressions[index], Ref):
            return type(expressions[index]).__name__
        case op.Map(expressions=expressions):
            return maker_of(*input_of(plan, next(refs(expressions[index])).index))
        case op.Unary() if index >= len(plan.input.schema):
            return plan.operator
        case op.SetOperation():
            return maker_of(plan.left, index)
        case _:
            return maker_of(*input_of(plan, index))


def _noted(found: set[str], expression: Expression) -> Expression:
    found |= {getattr(part, "symbol", type(part).__name__) for part in parts(expression)}
    return expression


class VariedChoices(Choices):
    """Choices made before, some of them drawn anew, and new ones after they end; `made` records them all."""

    def __init__(self, seed: object, base: tuple[int, ...], one_in: int) -> None:
        self._fresh = SeededChoices(seed)
        self._base = base
        self._one_in = one_in
        self.made: list[int] = []

    def below(self, n: int) -> int:
        old = self._base[len(self.made)] if len(self.made) < len(self._base) else n
        anew = old >= n or (self._one_in > 0 and self._fresh.below(self._one_in) == 0)
        self.made.append(self._fresh.below(n) if anew else old)
        return self.made[-1]


@dataclass(frozen=True)
class ChangeKind:
    """What plans have in common that an optimizer changes alike."""

    steps: Hashable
    """What the optimizer did."""
    features: frozenset[str]
    """What the plan is made of."""


class ChangedPlans:
    """The choices of plans that were changed, a few for each kind of change."""

    def __init__(self) -> None:
        self._telling: dict[ChangeKind, list[tuple[int, ...]]] = {}
        self._silent: dict[ChangeKind, list[tuple[int, ...]]] = {}
        self._tried: Counter[str] = Counter()
        """How often each feature was varied, or came up in what was changed."""

    def add(self, kind: ChangeKind, choices: tuple[int, ...], telling: bool) -> None:
        """Keep the latest few of a kind; those whose result held rows go first, as they teach more."""
        kept = (self._telling if telling else self._silent).setdefault(kind, [])
        kept.append(choices)
        self._tried.update(kind.features)
        del kept[:-KEPT_OF_A_KIND]

    def choices(self, seed: str) -> "SeededChoices | VariedChoices":
        """Half of the time a plan from nowhere; else a variation of one that was changed."""
        direction = SeededChoices(f"{seed}/direction")
        kinds = {**self._silent, **self._telling}
        if not kinds or direction.chance(1, 2):
            return SeededChoices(seed)
        return VariedChoices(
            seed, direction.of(kinds[self._one_of(direction, list(kinds))]), direction.of(ONE_CHOICE_IN)
        )

    def _one_of(self, direction: Choices, kinds: list[ChangeKind]) -> ChangeKind:
        """Any kind, or one with the feature of which least was tried: a change may be right but for what is rare."""
        if direction.chance(1, 2):
            return direction.of(kinds)
        wanted = min(sorted({feature for kind in kinds for feature in kind.features}), key=self._tried.__getitem__)
        self._tried[wanted] += 1
        return direction.of([kind for kind in kinds if wanted in kind.features])
