"""Verdicts as JUnit XML, which every build server shows."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final
from xml.etree import ElementTree

from equivalence.report.text import explained
from equivalence.verdicts.verdict import Verdict

_OUTCOMES: Final = {"refuted": "failure", "vacuous": "failure", "unknown": "skipped"}


@dataclass(frozen=True)
class ReportedVerdict:
    """The name of what was checked, its verdict, and more text about it."""

    name: str
    verdict: Verdict
    text: str = ""
    expected: bool = False
    """A refutation that was claimed, as of a rule that is false on purpose."""

    @property
    def details(self) -> str:
        return "\n\n".join(part for part in (self.text, explained(self.verdict)) if part)


def junit(suite: str, results: Iterable[ReportedVerdict]) -> str:
    """One suite: refuted and vacuous verdicts are failures, unknown ones are skipped.

    >>> print(junit("rules", [ReportedVerdict("a", Verdict("agreed")), ReportedVerdict("b", Verdict("vacuous"))]))
    <?xml version='1.0' encoding='utf-8'?>
    <testsuite name="rules" tests="2" failures="1" skipped="0" errors="0">
      <testcase classname="snapeq.rules" name="a" />
      <testcase classname="snapeq.rules" name="b">
        <failure message="vacuous">vacuous</failure>
      </testcase>
    </testsuite>
    """
    listed = list(results)
    root = ElementTree.Element("testsuite", {"name": _allowed(suite), "tests": str(len(listed)), **_counts(listed)})
    for result in listed:
        case = ElementTree.SubElement(
            root, "testcase", classname=f"snapeq.{_allowed(suite)}", name=_allowed(result.name)
        )
        outcome = _OUTCOMES.get(result.verdict.kind)
        if outcome:
            ElementTree.SubElement(case, outcome, message=result.verdict.kind).text = _allowed(result.details)
    ElementTree.indent(root)
    text: bytes = ElementTree.tostring(root, encoding="utf-8", xml_declaration=True)
    return text.decode()


def _counts(results: list[ReportedVerdict]) -> dict[str, str]:
    outcomes = [_OUTCOMES.get(result.verdict.kind) for result in results]
    return {"failures": str(outcomes.count("failure")), "skipped": str(outcomes.count("skipped")), "errors": "0"}


def _allowed(text: str) -> str:
    """The text without what XML cannot hold, not even escaped: control characters and surrogates."""
    return "".join(c if c in "\n\t" or c.isprintable() else "�" for c in text)
