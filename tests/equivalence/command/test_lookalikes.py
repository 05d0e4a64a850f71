"""`snapeq equiv` on queries in SQL: look-alikes are told apart, true pairs are accepted, constraints are assumed."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.equivalence.command.command import snapeq
from tests.semantics.sql.pairs import FOLDER, Constrained, Pair, read_constrained, read_pairs

CATALOGUE = ("--catalog", str(FOLDER / "catalogue.sql"))
EMPTY = {"nothing", "nothing leaves an unbounded window"}
"""Both queries of these pairs never hold a row: nothing is at stake in samples, and only a proof can tell."""
EQUIVALENT = [pair for pair in read_pairs("equivalent.sql") if pair.name not in EMPTY]
DIFFERENT = read_pairs("different.sql")


def name(pair: Pair | Constrained) -> str:
    return pair.name


@pytest.mark.parametrize("pair", EQUIVALENT, ids=name)
def test_true_pairs_are_accepted(pair: Pair) -> None:
    ran = snapeq("equiv", pair.left, pair.right, *CATALOGUE, "--examples", "60")
    assert (ran.code, ran.err) == (0, ""), ran.out
    assert ran.out.startswith(("PROVED (", "AGREED (by samples; cases 60, fired ")), ran.out


@pytest.mark.parametrize("pair", DIFFERENT, ids=name)
def test_look_alikes_are_refuted_with_a_case(pair: Pair) -> None:
    ran = snapeq("equiv", pair.left, pair.right, *CATALOGUE)
    assert (ran.code, ran.err) == (1, "")
    assert ran.out.startswith("REFUTED (by samples; cases ")
    assert "\nlet " in ran.out
    assert "\nat instant " in ran.out


@pytest.mark.parametrize("pair", [pair for pair in read_pairs("equivalent.sql") if pair.name in EMPTY], ids=name)
def test_queries_that_are_always_empty_need_a_proof(pair: Pair) -> None:
    assert snapeq("equiv", pair.left, pair.right, *CATALOGUE, "--by", "sample", "--examples", "20").out.startswith(
        "VACUOUS"
    )
    proved = snapeq("equiv", pair.left, pair.right, *CATALOGUE, "--by", "prove")
    assert proved.code == 0
    assert proved.out.startswith("PROVED")


@pytest.mark.parametrize("by", ["sample", "exhaust"])
@pytest.mark.parametrize("pair", read_constrained(), ids=name)
def test_what_is_declared_is_assumed_and_nothing_else(pair: Constrained, by: str, tmp_path: Path) -> None:
    declared, weakened = tmp_path / "declared.sql", tmp_path / "weakened.sql"
    declared.write_text(pair.declared, encoding="utf-8")
    weakened.write_text(pair.weakened, encoding="utf-8")
    options = ["--by", by, "--examples", "120"]
    kept = snapeq("equiv", pair.left, pair.right, "--catalog", str(declared), *options)
    assert (kept.code, kept.out[:6]) == (0, "AGREED"), kept.out
    lost = snapeq("equiv", pair.left, pair.right, "--catalog", str(weakened), *options)
    assert (lost.code, lost.out[:7]) == (1, "REFUTED"), lost.out


@pytest.mark.parametrize("pair", read_constrained(), ids=name)
def test_what_is_declared_may_be_used_in_proofs(pair: Constrained, tmp_path: Path) -> None:
    """What is unique unless NULL is not made use of, so that there is no answer; it is never a wrong one."""
    catalogue = tmp_path / "declared.sql"
    catalogue.write_text(pair.declared, encoding="utf-8")
    ran = snapeq("equiv", pair.left, pair.right, "--catalog", str(catalogue), "--by", "prove")
    expected = (3, "UNKNOWN") if pair.name == "what is unique is so where it is not NULL" else (0, "PROVED ")
    assert (ran.code, ran.out[:7]) == expected, ran.out


def test_a_counterexample_shows_a_table_as_one(tmp_path: Path) -> None:
    catalogue = tmp_path / "catalogue.sql"
    catalogue.write_text("CREATE TABLE C(id INT)", encoding="utf-8")
    for by in ("sample", "exhaust"):
        ran = snapeq("equiv", "SELECT id FROM C", "SELECT DISTINCT id FROM C", "--catalog", str(catalogue), "--by", by)
        assert ran.out.splitlines()[1] == "let C = interval(id int): (0)@[0,∞) (0)@[0,∞)"


@pytest.mark.parametrize(("pair", "code"), [(EQUIVALENT[0], 0), (DIFFERENT[0], 1)])
def test_the_same_from_a_shell(pair: Pair, code: int) -> None:
    call = [
        sys.executable,
        "-m",
        "equivalence.command.main",
        "equiv",
        pair.left,
        pair.right,
        *CATALOGUE,
        "--examples",
        "60",
    ]
    ran = subprocess.run(call, capture_output=True, encoding="utf-8", check=False)
    assert (ran.returncode, ran.stderr) == (code, "")
    assert ran.stdout.startswith("REFUTED" if code else ("PROVED", "AGREED"))
