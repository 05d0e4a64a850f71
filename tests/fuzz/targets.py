"""Every parser as a function of a text that returns, or raises a SnapeqError; and texts to begin with."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from json import dumps
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from equivalence.corpus import SUFFIX, corpus_folder, parse_case
from equivalence.gaps import known_gaps
from equivalence.generate.functions import KNOWN
from equivalence.replay import replay
from equivalence.report.document import read_case
from equivalence.report.html import page
from equivalence.report.junit import Judged, junit
from equivalence.report.reading import read_json
from equivalence.report.regression import as_test
from equivalence.report.text import explain
from equivalence.verdict import Verdict
from semantics import Schema, Scope, SnapeqError, parse, parse_expression, parse_plan, show, show_expression

Target = Callable[[str], None]
SCOPE: Final = Scope(Schema.of(x=int, f=float, b=bool, s=str))


def anything(text: str) -> None:
    """What `parse` reads it also writes, and reads again as the same."""
    found = parse(text, KNOWN)
    if not isinstance(found, Schema):
        assert parse(show(found), KNOWN) == found


def plan(text: str) -> None:
    found = parse_plan(text, KNOWN)
    assert parse_plan(show(found), KNOWN) == found


def expression(text: str) -> None:
    found = parse_expression(text, SCOPE, KNOWN)
    assert parse_expression(show_expression(found, SCOPE), SCOPE, KNOWN) == found


def golden_case(text: str) -> None:
    parse_case("fuzzed", text)


def saved_case(text: str) -> None:
    """A saved counterexample is read, shown in every form, and run again if it has two plans."""
    case = read_case(read_json(text))
    explain(case.found)
    as_test(case.found)
    judged = [Judged("case", Verdict("refuted", {}, case.found))]
    junit("fuzzed", judged).encode()
    page("fuzzed", judged).encode()
    replay(case)


def gaps(text: str) -> None:
    with TemporaryDirectory() as folder:
        for ending in ("toml", "json"):
            path = Path(folder) / f"gaps.{ending}"
            path.write_bytes(text.encode("utf-8", errors="surrogatepass"))
            with suppress(SnapeqError):
                known_gaps(path, ["Filter", "Join"], ["plain", "ties"])


TARGETS: Final[Mapping[str, Target]] = {
    target.__name__: target for target in (anything, plan, expression, golden_case, saved_case, gaps)
}


def survive(target: Target, text: str) -> None:
    """Run a target; our own errors are what bad input is meant to end in."""
    with suppress(SnapeqError):
        target(text)


def beginnings(name: str) -> Iterator[str]:
    """Texts that the target can read, for the fuzzer to change."""
    cases = [path.read_text(encoding="utf-8") for path in sorted(corpus_folder().glob(f"*{SUFFIX}"))]
    lines = [line.partition(": ") for case in cases for line in case.splitlines()]
    match name:
        case "anything":
            yield from (value for _, _, value in lines)
        case "plan":
            yield from (value for key, _, value in lines if key == "plan")
        case "expression":
            yield from EXPRESSIONS
        case "golden_case":
            yield from cases
        case "saved_case":
            yield from map(dumps, SAVED)
        case "gaps":
            yield from ('[gaps]\n"Join/ties" = "no"\n"*/plain" = "not yet"', '{"gaps": {"Filter": "no"}}')


EXPRESSIONS: Final = (
    "x + 1 > 2 and not (f / 2.5e3 <= x mod 7 or b)",
    "case when s like 'a%' escape '\\\\' then coalesce(x, -1) else null:int end",
    "x between 1 and 3 or s in ('a', 'it\\'s') or f is not distinct from nan",
    "even(twice(x)) and shorten(s, 2) is null and halve(f) < -inf",
)
_PLANS: Final = ["S(x int, f float) | window(range 2) | distinct", "S(x int, f float) | filter(x > 0)"]
SAVED: Final = (
    {"streams": {"S": [[1, 0.5, 0, 1]]}, "plans": _PLANS, "instant": 1, "left": [[1, "NaN"]], "right": []},
    {
        "verdict": "refuted",
        "evidence": {"how": "sampled"},
        "counterexample": {
            "streams": {"A": [["a", 0, 1], [None, 1, 2]], "B": [[True, 0, None]]},
            "plans": ["join(A(x str), B(y bool); left.x is null)", "A(x str) | group(x; count(*) as y)"],
            "instant": 3,
            "left": [],
            "right": [["a", 2]],
            "blamed": "A(x str)",
        },
        "raw": ["A"],
        "equivalence": "snapshot-set",
    },
)
