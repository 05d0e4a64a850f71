"""How long the prover takes over the rules of the catalogue, on one core, and which rules take longest.

Every leaf that z3 answers cvc5 confirms: the share of the time that this takes is told, so the peer of both solvers is
one of them alone.

    python -m benchmarks.studies.proving [RULE…] [--slowest N]
"""

import argparse
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from time import process_time
from typing import cast

from equivalence.prover.prove import prove_rule
from equivalence.prover.solver import solvers
from equivalence.prover.solver.solvers import cvc5_answer
from equivalence.rules.catalogue import CATALOGUE, FALSE
from equivalence.rules.statement import Rule

ALL, ONE = 60.0, 2.0
"""Seconds that all rules, and that one rule, may take."""
RULES = {rule.name: rule for rule in (*CATALOGUE, *FALSE)}


@dataclass(frozen=True)
class Taken:
    """What became of a rule, and how many seconds of the processor it took, those of cvc5 apart."""

    rule: Rule
    kind: str
    seconds: float
    confirming: float


def taken(rule: Rule) -> Taken:
    """Prove or refute a rule, and ask cvc5 again about all leaves of a proof, which it has forgotten then."""
    cvc5_answer.cache_clear()
    begun = process_time()
    verdict = prove_rule(rule)
    seconds = process_time() - begun
    cvc5_answer.cache_clear()
    begun = process_time()
    for leaf in cast("list[str]", verdict.evidence.get("leaves", [])):
        cvc5_answer(leaf)
    return Taken(rule, verdict.kind, seconds, process_time() - begun)


def show(found: Sequence[Taken], slowest: int) -> None:
    """A line for true rules and one for false ones, then the rules that took longest."""
    for valid, called in ((True, "true"), (False, "false")):
        mine = [one for one in found if one.rule.valid is valid]
        kinds = ", ".join(f"{number} {kind}" for kind, number in sorted(Counter(one.kind for one in mine).items()))
        both, second = sum(one.seconds for one in mine), sum(one.confirming for one in mine)
        if mine:
            print(f"{len(mine)} {called} rules: {both:.1f} s, {second:.1f} of them to confirm leaves; {kinds}")
    total = sum(one.seconds for one in found)
    print(f"all: {total:.1f} s of one core (goal {ALL:.0f}); the slowest (goal for one: {ONE:.0f} s):")
    for one in sorted(found, key=lambda one: -one.seconds)[:slowest]:
        print(f"  {one.seconds:6.2f}  {one.kind:<8}  {one.rule.name}")


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="benchmarks.studies.proving", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("rules", nargs="*", metavar="RULE", help="names of rules; without any, all")
    parser.add_argument("--slowest", type=int, default=10, metavar="N", help="how many rules are shown")
    options = parser.parse_args()
    unknown = [name for name in options.rules if name not in RULES]
    if unknown:
        parser.error(f"unknown rule {unknown[0]}; `snapeq rules` lists them")
    print(", ".join(solvers.names()))
    show([taken(RULES[name]) for name in options.rules or RULES], options.slowest)


if __name__ == "__main__":
    main()
