"""The examples of the playground that are made from the catalogue of deviations and the pages of findings."""

import json
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from docs.generate.deviation_examples import Example, deviation_examples
from docs.generate.finding_examples import FOLDER, finding_examples
from docs.play.answers import answer
from semantics import parse
from semantics.notation.json_values import exact_value
from snapeq import DEVIATIONS

NOT_SHOWN = {
    "late rows never dropped",
    "watermark ahead",
    "watermark behind",
    "input read as append-only",
    "pane end written inclusive",
}
"""They need a policy, a changelog or panes, which the playground does not have."""

PAGES = sorted(page for page in FOLDER.glob("*.md") if page.name != "README.md")


@cache
def examples() -> tuple[Example, ...]:
    return (*deviation_examples(), *finding_examples())


def ran(example: Example, i: int) -> Any:
    asked = {"do": "run", "query": example["queries"][i], "events": example["events"]}
    return json.loads(answer(json.dumps(asked)))


def test_every_deviation_has_an_example() -> None:
    titles = {example["title"] for example in examples()}
    assert {found.name for found in DEVIATIONS if f"Deviation: {found.name}" not in titles} <= NOT_SHOWN


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_every_page_of_findings_has_an_example(page: Path) -> None:
    assert any(example["page"] == page.stem for example in examples() if example["title"].startswith("Finding: "))


def test_where_a_page_says_what_is_right_the_playground_says_so_too() -> None:
    judged = [example for example in examples() if "right" in example]
    assert len(judged) >= 25
    for example in judged:
        got = ran(example, 0)
        columns = ", ".join(f"{name} {type_}" for name, type_ in got["columns"])
        right = parse(f"logical({columns}) to 1: 0{example['right']}").at(0)
        expected = {json.dumps([exact_value(value) for value in row]): n for row, n in right.items()}
        assert _snapshot(got, example["cursor"]) == expected, example["title"]


@pytest.mark.parametrize("kind", ["Deviation", "Finding"])
def test_all_of_them_run(kind: str) -> None:
    for example in examples():
        if example["title"].startswith(kind):
            for i in range(len(example["queries"])):
                assert "error" not in ran(example, i), example["title"]


def test_both_queries_of_a_deviation_differ_where_the_cursor_is() -> None:
    for example in examples():
        if example["title"].startswith("Deviation: "):
            first, second = (_snapshot(ran(example, i), example["cursor"]) for i in range(2))
            assert first != second, example["title"]


def _snapshot(found: Any, at: int) -> dict[str, int]:
    counts: Counter[str] = Counter()
    for row, start, end, copies in found["operators"][-1]["runs"]:
        if int(start) <= at and (end is None or at < int(end)):
            counts[json.dumps(row)] += copies
    return dict(counts)
