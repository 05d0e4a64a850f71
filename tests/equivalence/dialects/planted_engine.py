"""An engine with a dialect: ours, in a situation that deviates as planted."""

from collections.abc import Mapping

from equivalence.conformance.subject.in_process import InProcess
from equivalence.deviations.deviation import Variant, applied
from equivalence.deviations.plant import recorded
from equivalence.deviations.situation import situation_of
from equivalence.dialects.infer import infer_dialect
from equivalence.dialects.profile import Dialect
from equivalence.dialects.property import Alternative
from equivalence.recordings.recording import EveryInstant
from semantics import IntervalStream, Plan, Schema, Stream
from semantics.sparse.stream import SparseStream
from tests.equivalence.dialects.planted_session import PlantedSession


class PlantedEngine:
    """Deviates in all these ways, and supports everything but the operators that it is told to refuse."""

    name = "planted"
    knows_now = knows_functions = knows_types = knows_all_aggregates = True

    def __init__(self, *alternatives: Alternative, refuses: frozenset[str] = frozenset()) -> None:
        self.variants: list[Variant] = [one.variant for one in alternatives if one.variant is not None]
        self.refuses = refuses

    def supports(self, plan: Plan) -> bool:
        return not any(node.operator in self.refuses for node in plan.walk())

    def session(self, sources: Mapping[str, Schema], slack: int = 0) -> PlantedSession:  # noqa: ARG002  # it takes any
        return PlantedSession(self.variants, slack)

    def run(self, plan: Plan, sources: Mapping[str, Stream], horizon: int) -> IntervalStream:
        situation = applied(self.variants, situation_of(plan, sources, EveryInstant(horizon)))
        found = SparseStream.counted(plan.schema, recorded(situation), horizon)
        return IntervalStream(plan.schema, [(row, valid) for row, valid, n in found.runs for _ in range(n)])


def dialect_of(engine: object) -> Dialect:
    with InProcess(engine) as subject:  # type: ignore[arg-type]
        return infer_dialect(subject)
