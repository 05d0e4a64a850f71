"""What is committed in proofs/ is what is generated: a sample of the rules here, all of them by `snapeq verify`."""

from functools import cache
from typing import Final

import pytest

from equivalence.prover.open_questions import OPEN_QUESTIONS
from equivalence.prover.solver.solvers import Z3, cvc5_answer
from equivalence.rules.catalogue import CATALOGUE, FALSE
from equivalence.verification.proof_standing import question_hash, short_hash, standings
from equivalence.verification.rule_evidence import Evidence, evidence_for
from proofs.generate import BEGIN, HERE, operators, smt_file, table, with_lemmas, written_rows

RULES: Final = {rule.name: rule for rule in (*CATALOGUE, *FALSE)}
SAMPLE: Final = (
    "filter-through-window",
    "windows-commute",
    "map-through-rows-with-ties",
    "last-row-is-distinct",
    "join-on-a-key-as-semijoin",
    "rdup-below-append",
    "sort-only-moves",
    "median-of-negated",
    "window-sizes-add-up",
)
PAGE: Final = (HERE / "README.md").read_text(encoding="utf-8")
ROWS: Final = [[cell.strip() for cell in line.split(" | ")] for line in PAGE.splitlines() if line.startswith("| ")]


@cache
def evidence(name: str) -> Evidence:
    return evidence_for(RULES[name])


@pytest.mark.parametrize("name", SAMPLE)
def test_leaves_are_the_ones_that_are_committed(name: str) -> None:
    file = smt_file(name)
    assert (file.read_text(encoding="utf-8") if file.exists() else None) == evidence(name).leaves()


@pytest.mark.parametrize("name", SAMPLE)
def test_rows_are_the_ones_that_are_committed(name: str) -> None:
    """But for the Coq lemma, which the generator takes from a file."""
    (line,) = [line for line in PAGE.splitlines() if line.startswith(f"| {name} |")]
    *_, generated = table([evidence(name).row("lemma")])
    assert line.rpartition(" | ")[0] == generated.rpartition(" | ")[0]


def test_no_leaves_and_no_rows_are_out_of_date() -> None:
    """After a rule has changed: python -m proofs.generate RULE, or --standing where its proof is as it was."""
    assert {name: entry["question"] for name, entry in standings().items()} == {
        n: question_hash(r) for n, r in RULES.items()
    }
    rows = {row[0]: row[4] for row in written_rows()}
    assert {name: entry["proof"] for name, entry in standings().items()} == rows


def test_committed_leaves_are_those_that_were_generated() -> None:
    committed = {file.stem: short_hash(file.read_text(encoding="utf-8")) for file in (HERE / "smt").glob("*.smt2")}
    assert {name: entry["leaves"] for name, entry in standings().items() if entry["leaves"]} == committed
    assert {*committed} == {name for name, entry in standings().items() if entry["proof"].startswith("proved")}


def test_the_lemmas_are_those_of_the_coq_development() -> None:
    """After it has changed: python -m proofs.generate --lemmas"""
    assert with_lemmas(PAGE) == PAGE


def test_what_is_said_of_operators_is_what_is_found() -> None:
    """Proofs for all that are snapshot-reducible and for their interval operators, a case against each other one."""
    assert PAGE.endswith("## Operators\n\n" + "\n".join(operators()) + "\n")
    assert sum(": shown by a case: with " in line for line in operators()) == 6


def test_every_rule_has_its_row() -> None:
    assert BEGIN in PAGE
    assert {f"| {name}" for name in RULES} <= {f"| {row[0].removeprefix('| ')}" for row in ROWS}


def test_at_most_a_tenth_is_outside_the_fragment() -> None:
    proved = {path.stem for path in (HERE / "smt").glob("*.smt2")}
    true = {rule.name for rule in CATALOGUE}
    assert proved <= true
    assert len(true - proved) <= 0.1 * len(true)
    assert {*OPEN_QUESTIONS} <= true - proved


def test_both_solvers_answer_unsat_on_committed_leaves() -> None:
    for name in SAMPLE:
        if smt_file(name).exists():
            text = smt_file(name).read_text(encoding="utf-8")
            leaves = [part.split("(check-sat)")[0] for part in text.split("(push 1)\n")[1:]]
            assert {Z3().ask(leaf) for leaf in leaves} | {cvc5_answer(leaf) for leaf in leaves} <= {"unsat"}


def test_the_leaves_are_of_reasonable_size() -> None:
    assert sum(path.stat().st_size for path in (HERE / "smt").glob("*.smt2")) < 5_000_000
