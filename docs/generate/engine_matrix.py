"""Writes docs/engines/matrix.md: what engines say, operator by operator and property by property of their dialects.

What each engine said is kept in docs/engines/matrix.json, so asking one of them again leaves the others as they are.
"""

import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

from docs.generate.engine_answers import EngineAnswers, ask_engine, engines_here, read_kept, write_kept
from semantics import SnapeqError

PAGE: Final = Path(__file__).parents[1] / "engines" / "matrix.md"
CASES: Final = 2000
WIDTH: Final = 120
"""Of a table; engines that do not fit are in the next one."""
CELL: Final = len("[**no**][c99]")
SHORT: Final = {"agreed": "yes", "known gap": "but", "refuted": "**no**", "unsupported": "–"}
"""What a verdict is called in the table; any other says nothing, which is an empty field."""
HEAD: Final = """\
# Operators and engines

What `snapeq conform` and `snapeq dialect` say of engines that others wrote. `make matrix` asks all that are installed,
and `make matrix CASES=500 ENGINES='duckdb chdb'` some of them, with other numbers of cases. How each plan is said to
each engine is on [a page of its own](others.md).
"""
OPERATORS: Final = """\
## Operators

*yes*: right wherever it was tried. *but*: right but for a difference that the engine's documentation admits. **no**:
wrong; the smallest case is behind the link. –: the adapter does not support it. Empty: no case said anything.
"""
DIALECTS: Final = """\
## Dialects

*=*: as the definition says. A number: otherwise; what it means instead, and the query that proves it, are below. –: the
engine does not support the queries that would tell. *?*: nothing told.
"""
SMALLEST: Final = """\
## Smallest cases

What they say in the engines' own words, and why, is in [findings](../findings/README.md)."""
Cell = Callable[[EngineAnswers, str], str]


def page(answers: Sequence[EngineAnswers]) -> str:
    """The tables, and below them the smallest case of every fault and the proof of every difference."""
    notes = differences(answers)
    numbers = {(name, sentence): number for number, (name, sentence) in enumerate(notes, 1)}
    cases = places(answers)
    rows = {
        OPERATORS: (list(answers[0].operators), lambda one, name: _operator_cell(one, name, cases)),
        DIALECTS: (list(answers[0].dialect), lambda one, name: _dialect_cell(one, name, numbers)),
    }
    lines = [HEAD, *_asked(answers)]
    for text, (names, cell) in rows.items():
        lines += ["", text.rstrip()]
        for some in side_by_side(answers):
            lines += ["", *table(some, names, cell)]
    return "\n".join([*lines, *_told(notes), *_cases(answers), *_links(answers)]) + "\n"


def _asked(answers: Sequence[EngineAnswers]) -> Iterator[str]:
    yield "| engine | version | cases | asked on |"
    yield "|---|---|---|---|"
    for one in answers:
        yield f"| {one.engine} | {one.version} | {one.cases:,} | {one.day} |"


def side_by_side(answers: Sequence[EngineAnswers]) -> Iterator[list[EngineAnswers]]:
    """As many engines as fit beside the names of what is asked."""
    first = max(map(len, (*answers[0].operators, *answers[0].dialect)))
    some, width = list[EngineAnswers](), first + 4
    for one in answers:
        needed = max(len(one.engine), len(one.version), CELL) + 3
        if some and width + needed > WIDTH:
            yield some
            some, width = [], first + 4
        some.append(one)
        width += needed
    yield some


def table(engines: Sequence[EngineAnswers], names: Sequence[str], cell: Cell) -> Iterator[str]:
    """One row for each name; columns are padded, so that it can also be read as text."""
    rows = [["", *(one.engine for one in engines)], ["*version*", *(one.version for one in engines)]]
    rows += [[name, *(cell(one, name) for one in engines)] for name in names]
    widths = [max(len(row[i]) for row in rows) for i in range(len(engines) + 1)]
    for number, row in enumerate(rows):
        yield f"| {' | '.join(text.ljust(width) for text, width in zip(row, widths, strict=True))} |"
        if number == 0:
            yield f"|{'|'.join('-' * (width + 2) for width in widths)}|"


def _operator_cell(one: EngineAnswers, operator: str, numbers: Mapping[tuple[str, str], int]) -> str:
    """What is said; a fault that shows only below another operator is shown with that one."""
    said = SHORT.get(one.operators[operator], "")
    if said != "**no**":
        return said
    blamed = next((f.operator for f in one.findings if operator == f.operator), one.findings[0].operator)
    return f"[{said}][c{numbers[one.engine, blamed]}]"


def _dialect_cell(one: EngineAnswers, name: str, numbers: Mapping[tuple[str, str], int]) -> str:
    meaning = one.dialect[name]
    if meaning.standard:
        return "="
    return {"unsupported": "–", "open": "?"}.get(meaning.state) or f"[{numbers[name, meaning.sentence]}][d]"


def differences(answers: Sequence[EngineAnswers]) -> dict[tuple[str, str], list[EngineAnswers]]:
    """What is said of properties that are not standard, and by which engines."""
    found = dict[tuple[str, str], list[EngineAnswers]]()
    for name in answers[0].dialect:
        for one in answers:
            meaning = one.dialect[name]
            if not meaning.standard and meaning.state in ("decided", "unforeseen"):
                found.setdefault((name, meaning.sentence), []).append(one)
    return found


def _told(notes: dict[tuple[str, str], list[EngineAnswers]]) -> Iterator[str]:
    if notes:
        yield "\n### Differences"
    for number, ((name, sentence), engines) in enumerate(notes.items(), 1):
        what = sentence.partition(";")[0]  # an answer that nothing explains is shown below
        yield f"\n{number}. {name}: {what} ({', '.join(one.engine for one in engines)})\n"
        yield from _block(engines[0].dialect[name].proof, "   ")


def places(answers: Sequence[EngineAnswers]) -> dict[tuple[str, str], int]:
    """The numbers of the engines and operators of which there is a smallest case."""
    found = {(one.engine, finding.operator): 0 for one in answers for finding in one.findings}
    return {place: number for number, place in enumerate(found, 1)}


def _cases(answers: Sequence[EngineAnswers]) -> Iterator[str]:
    if any(one.findings for one in answers):
        yield f"\n{SMALLEST}"
    for engine, operator in places(answers):
        yield f"\n### {_heading(engine, operator)}"
        one = next(one for one in answers if one.engine == engine)
        for finding in one.findings:
            if finding.operator == operator:
                yield from ("", *_block(finding.text))


def _block(text: str, indent: str = "") -> Iterator[str]:
    """As it is: a line of the notation is longer than a page is wide."""
    yield f"{indent}```text"
    yield from (f"{indent}{line}".rstrip() for line in text.splitlines())
    yield f"{indent}```"


def _heading(engine: str, operator: str) -> str:
    return f"{engine}: {operator}"


def _links(answers: Sequence[EngineAnswers]) -> Iterator[str]:
    yield "\n[d]: #differences"
    for place, number in places(answers).items():
        yield f"[c{number}]: #{anchor(_heading(*place))}"


def anchor(heading: str) -> str:
    """What a heading is called in links.

    >>> anchor("duckdb@1.0.0: LeftJoin")
    'duckdb100-leftjoin'
    """
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


def main(cases: int = CASES, *names: str) -> None:
    """Ask the engines, or only those that are named; one that fails is left out with a word."""
    for name in names or engines_here():
        print(f"{name}: {cases} cases", file=sys.stderr, flush=True)
        try:
            answers = ask_engine(name, cases)
        except SnapeqError as error:
            print(f"{name}: left out: {error}", file=sys.stderr)
            continue
        write_kept({**read_kept(), name: answers})
        write_page()


def write_page() -> None:
    """From what was kept."""
    kept = read_kept()
    PAGE.write_text(page([kept[engine] for engine in sorted(kept)]), encoding="utf-8")


if __name__ == "__main__":
    main(int(sys.argv[1]), *sys.argv[2:])
