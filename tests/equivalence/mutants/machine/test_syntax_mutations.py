"""What the mutator makes of tiny modules."""

import ast

import pytest

from equivalence.mutants.machine.syntax_kinds import KINDS
from equivalence.mutants.machine.syntax_mutations import SyntaxMutation, mutated, mutations_of


def of_kind(kind: str, source: str) -> list[SyntaxMutation]:
    return [mutation for mutation in mutations_of("m", source) if mutation.kind == kind]


def in_function(body: str) -> str:
    return f"def f(start, end, items):\n    {body}\n"


@pytest.mark.parametrize(
    ("kind", "body", "expected"),
    [
        ("boundary", "return start < end", ["start <= end"]),
        ("negated comparison", "return start in items", ["start not in items"]),
        ("negation dropped", "return not start", ["start"]),
        ("and or", "return start and end", ["start or end"]),
        ("operand dropped", "return start & end", ["start", "end"]),
        ("constant", "return 0", ["1", "-1"]),
        ("constant", "return True", ["False"]),
        ("constant", "return g('left')", ["'right'"]),
        ("slice bound", "return items[start:]", ["[start + 1:]", "[start - 1:]", "[start:-1]"]),
        ("arithmetic", "return start + end", ["start - end"]),
        ("sign dropped", "return -start", ["start"]),
        ("arguments swapped", "return g(start, end, items)", ["g(end, start, items)", "g(start, items, end)"]),
        ("other function", "return min(items)", ["max(items)"]),
        ("other side of search", "return items.searchsorted(end)", ["items.searchsorted(end, side='right')"]),
        ("counterpart", "return start", ["end"]),
        ("condition fixed", "return start if items else end", ["start if True else end", "start if False else end"]),
        ("statement dropped", "items.clear()", ["pass"]),
        ("statement dropped", "items[0] = 3", ["pass"]),
        ("loop once", "while start: end()", ["while start: … break"]),
        ("jump", "while start: break", ["continue"]),
        ("returned early", "start()\n    end()", ["def f(start, end, items): … return"]),
    ],
)
def test_every_kind_of_mutation(kind: str, body: str, expected: list[str]) -> None:
    assert [mutation.after for mutation in of_kind(kind, in_function(body))] == expected


def test_the_table_above_has_every_kind() -> None:
    (marks,) = (mark.args[1] for mark in test_every_kind_of_mutation.pytestmark)  # type: ignore[attr-defined]
    assert {kind for kind, _, _ in marks} == set(KINDS)


@pytest.mark.parametrize(
    "source",
    [
        "from m import x",
        "def f(x: 'int | None' = None) -> 'list[int]':\n    raise ValueError(f'{x + 1} < 2')",
        "class P(Protocol):\n    def f(self): return 1 < 2",
        "class C:\n    @abstractmethod\n    def f(self): return 1 < 2",
        "if TYPE_CHECKING:\n    x = 1 < 2",
        "Both = int | str",
        "def f():\n    '''0 < 1'''",
        "def f(start, end):\n    return len(start)",
        "RULES = (rule(one, other), rule(other, one))",
        "warm_up(1)",
    ],
)
def test_what_no_result_depends_on_is_left_alone(source: str) -> None:
    assert list(mutations_of("m", source)) == []


def test_every_mutation_is_another_module_that_compiles() -> None:
    source = in_function("for i in items[start:-1]:\n        if i < 3 and not end:\n            items[i] += g(i, 2)")
    found = list(mutations_of("m", source))
    trees = {ast.dump(mutated(source, mutation)) for mutation in found}
    assert len(found) > 20
    assert len(trees | {ast.dump(ast.parse(source))}) == len(trees) + 1
    for mutation in found:
        compile(mutated(source, mutation), "m", "exec")


def test_names_of_functions_are_those_that_python_gives_them() -> None:
    source = "class C:\n    def f(self):\n        def g():\n            return 1 < 2\n        return g"
    (mutation,) = of_kind("boundary", source)
    assert mutation.function == "C.f.<locals>.g"


def test_a_mutation_stays_the_same_when_lines_move_and_is_stale_when_its_function_changes() -> None:
    before, moved = in_function("return start < end"), "\n\nx = 1\n" + in_function("return start < end")
    changed = in_function("print(items)\n    return start < end")
    ((old,), (same,), (other,)) = (of_kind("boundary", source) for source in (before, moved, changed))
    assert old.identity == same.identity == other.identity
    assert old.source == same.source != other.source
    assert old.line != same.line


def test_equal_changes_in_a_function_are_numbered() -> None:
    found = of_kind("boundary", in_function("return start < end or start < end"))
    assert [mutation.number for mutation in found] == [0, 1]
    assert len({mutation.identity for mutation in found}) == 2
