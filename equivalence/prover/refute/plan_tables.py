"""Plans over a few rows and instants: every snapshot is a list of rows with their multiplicities, all of them terms."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from equivalence.prover.refute.over_tables import over_rows
from equivalence.prover.refute.row_table import Table
from equivalence.prover.refute.session_tables import in_sessions
from equivalence.prover.refute.snapshot_tables import SnapshotTables
from equivalence.prover.refute.windows import arrived, windowed
from equivalence.prover.terms.build import number
from semantics import Plan
from semantics import plan as op

History = Sequence[Table]


@dataclass
class Tables(SnapshotTables):
    """The snapshots of plans at every instant, given those of their sources."""

    sources: Mapping[str, History]

    def of(self, plan: Plan) -> History:
        return [self.named(table) for table in self._of(plan)]

    def _of(self, plan: Plan) -> History:
        inputs = [self.of(child) for child in plan.inputs]
        match plan:
            case op.Source(name=name):
                return self.sources[name]
            case op.TimeWindow() | op.LandmarkWindow() | op.CountWindow() | op.PartitionedWindow():
                moments = [(number(u), table) for u, table in enumerate(inputs[0])]
                return [windowed(plan, now, moments[: t + 1]) for t, (now, _) in enumerate(moments)]
            case op.SessionWindow():
                return in_sessions(plan, inputs[0])
            case op.Over():
                return over_rows(plan, inputs[0], self.expressions)
            case op.Istream():
                return [arrived(now, before) for before, now in _steps(*inputs)]
            case op.Dstream():
                return [arrived(before, now) for before, now in _steps(*inputs)]
            case _:
                histories = enumerate(zip(*inputs, strict=True))
                return [self.computed(plan, number(t), *tables) for t, tables in histories]


def _steps(history: History) -> list[tuple[Table, Table]]:
    """The snapshots at every instant and the one before."""
    return list(zip([[], *history], history, strict=False))
