"""What an engine says to the suite and to the probes of its dialect, kept so that other engines can be asked later."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from equivalence.conformance.matrix import Conformance
from equivalence.conformance.subject.choose_subject import subject_of
from equivalence.conformance.suite import conform
from equivalence.dialects.infer import infer_dialect
from equivalence.dialects.profile import Dialect, as_lines
from equivalence.report.findings import text_of
from equivalence.verdicts.fault_kind import NO_FAILURES
from physical.adapters.environments import ENVIRONMENTS, environment_of
from physical.adapters.protocol_workers import WORKERS
from physical.engine import ON_REQUEST

KEPT: Final = Path(__file__).parents[1] / "engines" / "matrix.json"


@dataclass(frozen=True)
class Finding:
    """The smallest case of what is wrong, and the operator to blame."""

    operator: str
    text: str


@dataclass(frozen=True)
class Meaning:
    """What a property of the dialect is found to be, and the probes that say so."""

    state: str
    standard: bool
    sentence: str
    proof: str


@dataclass(frozen=True)
class EngineAnswers:
    """All that the page says of one engine."""

    engine: str
    version: str
    day: str
    cases: int
    operators: Mapping[str, str]
    findings: Sequence[Finding]
    dialect: Mapping[str, Meaning]


def ask_engine(name: str, cases: int) -> EngineAnswers:
    """Try it on so many cases, and ask for its dialect."""
    found = conform(name, cases=cases, coverage=False)
    with subject_of(name) as subject:
        dialect = infer_dialect(subject)
    day = f"{datetime.now(UTC):%Y-%m-%d}"
    return EngineAnswers(
        name, version_of(name), day, found.cases, dict(found.verdicts), _findings(found), _meanings(dialect)
    )


def _findings(found: Conformance) -> list[Finding]:
    wrong = [finding for finding in found.findings if finding.name not in NO_FAILURES]
    return [Finding(finding.operator, text_of(finding).split("\n\n")[0]) for finding in wrong]


def _meanings(dialect: Dialect) -> dict[str, Meaning]:
    return {one.about.name: _meaning(dialect, one.about.name) for one in dialect.meanings}


def _meaning(dialect: Dialect, name: str) -> Meaning:
    one = dialect.meaning(name)
    proof = [line for number in one.probes for line in as_lines(dialect.asked[number])]
    kept = "" if one.is_standard else "\n".join(proof)
    return Meaning(one.state, one.is_standard, dialect.sentence(one), kept)


def engines_here() -> list[str]:
    """The engines that others wrote and that are installed."""
    environments = {name: getattr(engine, "environment", "") or name for name, engine in ON_REQUEST.items()}
    environments |= {name: worker.environment.engine for name, worker in WORKERS.items() if not worker.server}
    return sorted(
        name for name, own in environments.items() if own not in ENVIRONMENTS or ENVIRONMENTS[own].is_installed
    )


def version_of(name: str) -> str:
    if name in WORKERS:
        return WORKERS[name].environment.engine_version
    engine = ON_REQUEST.get(name)
    own = getattr(engine, "environment", "") or name
    if own.partition("@")[0] in ENVIRONMENTS:
        return environment_of(own).engine_version
    return str(getattr(engine, "version", ""))


def read_kept(path: Path = KEPT) -> dict[str, EngineAnswers]:
    """What was kept of each engine."""
    if not path.exists():
        return {}
    return {name: _read(one) for name, one in json.loads(path.read_text(encoding="utf-8")).items()}


def _read(kept: Mapping[str, object]) -> EngineAnswers:
    fields = dict(kept)
    findings = [Finding(**one) for one in fields.pop("findings")]  # type: ignore[attr-defined]
    dialect = {name: Meaning(**one) for name, one in fields.pop("dialect").items()}  # type: ignore[attr-defined]
    return EngineAnswers(**fields, findings=findings, dialect=dialect)  # type: ignore[arg-type]


def write_kept(answers: Mapping[str, EngineAnswers], path: Path = KEPT) -> None:
    document = {name: asdict(one) for name, one in sorted(answers.items())}
    path.write_text(json.dumps(document, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
