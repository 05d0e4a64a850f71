"""The verdict on a program that no case refutes."""

from collections.abc import Mapping

from equivalence.neighbours.measure import NeighbourMeasure
from equivalence.verdicts.verdict import Verdict


def unrefuted(evidence: Mapping[str, object], fired: int, neighbours: NeighbourMeasure | None) -> Verdict:
    """Vacuous, if no case could have failed; unknown while a decisive neighbour is open; otherwise agreed."""
    if not fired or neighbours is None:
        return Verdict("vacuous", evidence)
    evidence = {**evidence, "neighbours": neighbours.evidence()}
    unnoticed = neighbours.decisive()
    if unnoticed:
        return Verdict("unknown", {**evidence, "reason": f"nothing tried would have noticed {unnoticed[0]}"})
    return Verdict("agreed", evidence)
