"""How many damaged certificates the checker accepts, and whether any of them claims what is not so.

python -m benchmarks.studies.damaged_certificates --rules 20 --each 200 --seed 1
"""

import argparse
import random
from collections import Counter
from collections.abc import Iterator
from typing import Any

from equivalence.cases.choices import SeededChoices
from equivalence.certificates.checker.check import closed
from equivalence.certificates.checker.terms import Refused
from equivalence.certificates.damage import CLAIM, damages
from equivalence.certificates.leaf_solvers import unsatisfiable
from equivalence.certificates.write import NoCertificate, certificate
from equivalence.comparison.check_plans import check_plans
from equivalence.rules.catalogue import CATALOGUE
from equivalence.rules.instances import ConditionNotMet, Instance, instance_of
from semantics.errors import SnapeqError
from semantics.notation.read_json_plans import plan_from_json


def instances(number: int, seed: int) -> Iterator[Instance]:
    """Instances of rules drawn at random."""
    chooser = random.Random(seed)
    while number:
        try:
            found = instance_of(SeededChoices(chooser.random()), chooser.choice(CATALOGUE), awkward=False)
        except ConditionNotMet:
            continue
        if isinstance(found, Instance):
            number -= 1
            yield found


def outcome(written: dict[str, Any], changed: dict[str, Any], instance: Instance) -> str:
    try:
        closed(changed, unsatisfiable)
    except Refused:
        return "refused"
    if all(written[name] == changed.get(name) for name in CLAIM):
        return "accepted: still a proof of the same claim"
    if changed["constraints"] != written["constraints"]:
        return "accepted: OTHER CONSTRAINTS"
    try:
        sides = [plan_from_json(changed[name]) for name in ("left", "right")]
        verdict = check_plans(*sides, constraints=instance.constraints, examples=200)
    except SnapeqError:
        return "accepted: what is claimed cannot be read as plans"
    return "accepted: A FALSE CLAIM" if verdict.kind == "refuted" else "accepted: another claim that holds, too"


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--rules", type=int, default=20)
    parser.add_argument("--each", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    tally, chooser = Counter[str](), random.Random(given.seed)
    for instance in instances(given.rules, given.seed):
        try:
            written = certificate(instance.left, instance.right, instance.constraints)
        except NoCertificate:
            tally["no certificate"] += 1
            continue
        several = list(damages(written, chooser))
        tally["certificates"] += 1
        for damage in chooser.sample(several, min(given.each, len(several))):
            tally[outcome(written, damage.applied_to(written), instance)] += 1
    for name, times in sorted(tally.items()):
        print(f"{times:7} {name}")


if __name__ == "__main__":
    main()
