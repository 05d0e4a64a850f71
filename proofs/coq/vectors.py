"""The answers of the extracted oracle on generated cases: `vectors.py ORACLE` writes vectors.json, `--check` compares.

Cases are awkward on purpose: gaps, ties, intervals that meet or overlap, duplicates, empty inputs.
"""

import json
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Final

SEED: Final = 2009
CASES_PER_OPERATOR: Final = 16
"""The first case of each operator has empty inputs."""
HORIZON: Final = 12
LONGEST_INPUT: Final = 8
"""The largest number of elements in an input."""
VALUES: Final = (-1, 0, 1, 2)
RECORDED: Final = Path(__file__).with_name("vectors.json")

Element = tuple[int, int, int]
"""Value, start, end."""


@dataclass(frozen=True)
class Operator:
    """An operator as the oracle and as snapeq call it; braces stand for parameters, each at least its first."""

    name: str
    plan: str
    parameters: tuple[range, ...] = ()


OPERATORS: Final = (
    Operator("filter", "A(x int) | filter(x > 0)"),
    Operator("map", "A(x int) | map(x mod 2 as z)"),
    Operator("distinct", "A(x int) | distinct"),
    Operator("union", "union(A(x int), B(x int))"),
    Operator("difference", "difference(A(x int), B(x int))"),
    Operator("intersection", "intersection(A(x int), B(x int))"),
    Operator("product", "product(A(x int), B(y int))"),
    Operator("join", "join(A(x int), B(y int); x <= y)"),
    Operator("semijoin", "semijoin(A(x int), B(y int); x <= y)"),
    Operator("antijoin", "antijoin(A(x int), B(y int); x <= y)"),
    Operator("left join", "leftjoin(A(x int), B(y int); x <= y)"),
    Operator("right join", "rightjoin(A(x int), B(y int); x <= y)"),
    Operator("full join", "fulljoin(A(x int), B(y int); x <= y)"),
    Operator("count", "A(x int) | aggregate(count(*) as n)"),
    Operator("sum", "A(x int) | aggregate(sum(x) as n)"),
    Operator("max", "A(x int) | aggregate(max(x) as n)"),
    Operator("total count", "A(x int) | total(count(*) as n)"),
    Operator("grouping", "A(x int) | group(x; count(*) as n)"),
    Operator("window", "A(x int) | window(range {})", (range(1, 6),)),
    Operator("slide", "A(x int) | window(range {} slide {})", (range(1, 6), range(1, 5))),
    Operator("unbounded", "A(x int) | window(range unbounded)"),
    Operator("landmark", "A(x int) | window(landmark {})", (range(6),)),
    Operator("reset", "A(x int) | window(landmark {} reset {})", (range(4), range(1, 5))),
    Operator("istream", "A(x int) | istream"),
    Operator("dstream", "A(x int) | dstream"),
    Operator("rows with ties", "A(x int) | window(rows {} with ties)", (range(1, 5),)),
    Operator("coalesce", "A(x int)", (range(1, 8),)),
)


@dataclass(frozen=True)
class Case:
    """One operator on one or two inputs."""

    operator: Operator
    parameters: tuple[int, ...]
    inputs: dict[str, list[Element]]

    @property
    def line(self) -> str:
        """The case as the oracle reads it."""
        lists = [self.inputs.get(name, []) for name in ("A", "B")]
        numbers = [len(self.parameters), *self.parameters]
        for elements in lists:
            numbers += [len(elements), *(number for element in elements for number in element)]
        return " ".join(map(str, [self.operator.name.replace(" ", "_"), *numbers, HORIZON]))

    def recorded(self, answer: str) -> str:
        """The case and what the oracle says, on one line of JSON."""
        described = {
            "operator": self.operator.name,
            "parameters": self.parameters,
            "plan": self.operator.plan.format(*self.parameters),
            "inputs": self.inputs,
        }
        return json.dumps(described | json.loads(answer), separators=(",", ":"))


def elements(random: Random, length: int) -> list[Element]:
    """An ordered list in which elements repeat, tie, overlap, meet or leave a gap."""
    made: list[Element] = []
    varied = random.choice((0.2, 0.5, 0.8))
    for _ in range(length):
        value, start, end = made[-1] if made else (random.choice(VALUES), 0, 2)
        if random.random() < varied:
            value = random.choice(VALUES)
        if random.random() < varied:
            start = random.choice((start, end, start + 1, end + random.randrange(1, 4)))
            end = start + random.randrange(1, 5)
        made.append((value, start, end))
    return in_order(made)


def like(random: Random, others: list[Element]) -> list[Element]:
    """A second input made from the first: its elements are left out, copied, doubled or moved."""
    moves = [(element, by) for element in others for by in random.choice(((), (0,), (0,), (0, 0), (1,)))]
    return in_order([(x, s + by, f + by) for (x, s, f), by in moves])


def in_order(made: list[Element]) -> list[Element]:
    return sorted(made, key=lambda element: element[1])


def cases() -> Iterator[Case]:
    """The same cases every time."""
    random = Random(SEED)
    for operator in OPERATORS:
        for i in range(CASES_PER_OPERATOR):
            parameters = tuple(random.choice(of) for of in operator.parameters)
            inputs = {"A": elements(random, random.randint(1, LONGEST_INPUT) if i else 0)}
            if "B(" in operator.plan:
                inputs["B"] = like(random, inputs["A"]) if i % 4 else elements(random, i // 2)
            yield Case(operator, parameters, inputs)


def recorded(oracle: str) -> str:
    """All cases with the oracle's answers, as JSON, one a line."""
    asked = list(cases())
    question = "".join(case.line + "\n" for case in asked)
    answers = subprocess.run([oracle], input=question, capture_output=True, text=True, check=True).stdout.splitlines()
    lines = [case.recorded(answer) for case, answer in zip(asked, answers, strict=True)]
    return f'{{"horizon":{HORIZON},"cases":[\n' + ",\n".join(lines) + "\n]}\n"


def main(oracle: str, *options: str) -> None:
    made = recorded(oracle)
    if "--check" not in options:
        RECORDED.write_text(made, encoding="utf-8")
    elif made != RECORDED.read_text(encoding="utf-8"):
        sys.exit("vectors.json is not what the oracle says: run `make -C proofs/coq record` and look at the changes")


if __name__ == "__main__":
    main(*sys.argv[1:])
