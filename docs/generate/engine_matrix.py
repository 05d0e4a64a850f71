"""Writes docs/engines/matrix.md: what engines say, operator by operator, and the smallest case behind every no."""

import sys
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from equivalence.conformance.matrix import Conformance
from equivalence.conformance.suite import conform
from equivalence.report.findings import text_of
from equivalence.verdicts.fault_kind import NO_FAILURES
from physical.adapters.environments import ENVIRONMENTS
from physical.adapters.protocol_workers import WORKERS
from physical.engine import OTHERS
from semantics import SnapeqError

PAGE: Final = Path(__file__).parents[1] / "engines" / "matrix.md"
CASES: Final = 2000
SHORT: Final = {"agreed": "yes", "known gap": "but", "refuted": "**no**", "unsupported": "–"}
"""What a verdict is called in the table; any other says nothing, which is an empty field."""


def engines_here() -> list[str]:
    """The engines that others wrote and that are installed."""
    environments = {name: getattr(engine, "environment", "") or name for name, engine in OTHERS.items()}
    environments |= {name: worker.environment.engine for name, worker in WORKERS.items() if not worker.server}
    return sorted(
        name for name, own in environments.items() if own not in ENVIRONMENTS or ENVIRONMENTS[own].is_installed
    )


def version_of(name: str) -> str:
    if name in WORKERS:
        return WORKERS[name].environment.engine_version
    engine = OTHERS[name]
    own = ENVIRONMENTS.get(getattr(engine, "environment", "") or name)
    return own.engine_version if own is not None else str(getattr(engine, "version", ""))


def page(results: Sequence[Conformance], versions: Sequence[str], command: str, day: str) -> str:
    """The table, and below it the smallest case of every fault."""
    cases = max(result.cases for result in results)
    operators = list(results[0].verdicts)
    names = [f"{result.engine} {version}" for result, version in zip(results, versions, strict=True)]
    lines = [
        "# Operators and engines",
        "",
        f"Made on {day} by `{command}`: `snapeq conform` with up to {cases} cases an engine.",
        "*yes*: right wherever it was tried; *but*: right but for a difference that the engine's documentation admits;",
        "**no**: wrong, with the smallest case below; –: not supported by the adapter; empty: no case said anything.",
        "",
        f"| operator | {' | '.join(names)} |",
        f"|---|{'---|' * len(names)}",
    ]
    for operator in operators:
        cells = [_cell(result, operator) for result in results]
        lines.append(f"| {operator} | {' | '.join(cells)} |")
    for result in results:
        lines += _cases(result)
    return "\n".join(lines) + "\n"


def _cell(result: Conformance, operator: str) -> str:
    said = SHORT.get(result.verdicts[operator], "")
    return f"[{said}](#{_anchor(result.engine)})" if said == "**no**" else said


def _anchor(engine: str) -> str:
    return engine.lower().replace(" ", "-").replace("@", "").replace("/", "")


def _cases(result: Conformance) -> list[str]:
    wrong = [finding for finding in result.findings if finding.name not in NO_FAILURES]
    if not wrong:
        return []
    shown = (text_of(finding).split("\n\n")[0] for finding in wrong)
    return ["", f"## {result.engine}", *(line for text in shown for line in ("", "```", text, "```"))]


def main(cases: int = CASES, *names: str) -> None:
    """Try the engines, or only those that are named; one that fails to start is left out with a word."""
    results, versions = list[Conformance](), list[str]()
    command = f"make matrix CASES={cases}" + (f" ENGINES='{' '.join(names)}'" if names else "")
    for name in names or engines_here():
        print(f"{name}: {cases} cases", file=sys.stderr, flush=True)
        try:
            results.append(conform(name, cases=cases, coverage=False))
        except SnapeqError as error:
            print(f"{name}: left out: {error}", file=sys.stderr)
            continue
        versions.append(version_of(name))
        PAGE.write_text(page(results, versions, command, f"{datetime.now(UTC):%Y-%m-%d}"), encoding="utf-8")


if __name__ == "__main__":
    main(int(sys.argv[1]), *sys.argv[2:])
