"""A run of the fuzzer on disk: what is known already, and where to go on."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

from equivalence.fuzzing.campaign import Campaign, Known
from equivalence.fuzzing.fuzz_finding import FuzzFinding
from equivalence.fuzzing.judge import Outcome
from equivalence.fuzzing.relational_schema import RelationalSchema, Table
from equivalence.fuzzing.steering import Families
from semantics import SnapeqError
from semantics.types import Type


def read_known(path: Path | None) -> list[Known]:
    """Findings of a document that `snapeq fuzz --json` printed, or a list of such findings."""
    if path is None:
        return []
    document = _document(path.read_text(encoding="utf-8"), str(path))
    listed = document.get("findings") if isinstance(document, dict) else document
    if not isinstance(listed, list) or not all(
        isinstance(one, dict) and {"rule", "query"} <= one.keys() for one in listed
    ):
        raise SnapeqError(f"{path}: expected findings, each with a rule and a query")
    return [Known(str(one["rule"]), str(one["query"])) for one in listed]


def saved(campaign: Campaign) -> str:
    """Everything that the rest of the run depends on."""
    return json.dumps(
        {
            "optimizer": campaign.subject.name,
            "seed": campaign.seed,
            "number": campaign.number,
            "tally": campaign.tally,
            "kept": {rule: list(families.kept.items()) for rule, families in campaign.steering.kept.items()},
            "noted": campaign.steering.noted,
            "fired": campaign.steering.fired,
            "settled": campaign.settled,
            "examples": campaign.examples,
            "findings": [_finding_as_json(finding) for finding in campaign.findings],
        }
    )


def resumed(campaign: Campaign, text: str) -> None:
    """Put a campaign where another one of the same optimizer and seed stopped."""
    document = _document(text, "the file to resume from")
    try:
        one, seed = document["optimizer"], document["seed"]
        if (one, seed) == (campaign.subject.name, campaign.seed):
            _restore(campaign, document)
            return
    except (AttributeError, KeyError, TypeError, ValueError):
        raise SnapeqError("the file to resume from: expected what --resume of this version wrote") from None
    expected = f"{campaign.subject.name}, seed {campaign.seed}"
    raise SnapeqError(f"the file to resume from is of {one}, seed {seed}; expected {expected}")


def _restore(campaign: Campaign, document: dict[str, Any]) -> None:
    campaign.number = document["number"]
    campaign.tally.update({rule: Counter(counts) for rule, counts in document["tally"].items()})
    campaign.steering.kept = {
        rule: Families({family: list(map(tuple, members)) for family, members in families})
        for rule, families in document["kept"].items()
    }
    campaign.steering.noted = [(rule, family, tuple(made)) for rule, family, made in document["noted"]]
    campaign.steering.fired = document["fired"]
    campaign.settled = [(rule, query) for rule, query in document["settled"]]
    campaign.examples = {Outcome(outcome): texts for outcome, texts in document["examples"].items()}
    campaign.findings = [_finding(one) for one in document["findings"]]


def _document(text: str, where: str) -> Any:
    try:
        return json.loads(text)
    except ValueError as error:
        raise SnapeqError(f"{where}: expected JSON; {error}") from None


def _finding_as_json(finding: FuzzFinding) -> dict[str, object]:
    tables = [
        {
            "name": t.name,
            "columns": [(name, str(type_)) for name, type_ in t.columns],
            "key": t.key,
            "filled": t.not_null,
        }
        for t in finding.schema.tables
    ]
    return {**finding.to_json(), "tables": tables}


def _finding(one: dict[str, Any]) -> FuzzFinding:
    tables = tuple(
        Table(
            t["name"], tuple((name, _TYPES[type_]) for name, type_ in t["columns"]), tuple(t["key"]), tuple(t["filled"])
        )
        for t in one["tables"]
    )
    return FuzzFinding(
        one["rule"],
        one["query"],
        one["rewritten"],
        RelationalSchema(tables),
        {name: [tuple(row) for row in rows] for name, rows in one["data"].items()},
        tuple(tuple(row) for row in one["expected"]),
        one["got"] if isinstance(one["got"], str) else tuple(tuple(row) for row in one["got"]),
        one["oracle"],
        tuple(one["confirmed_by"]),
        one["reproduction"],
        one["number"],
    )


_TYPES = {str(type_): type_ for type_ in (Type.INT, Type.STR, Type.BOOL)}
