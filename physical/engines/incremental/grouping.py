"""Grouping, aggregation and distinct: concatenation plus compensation, with a partial result per basic window."""

from abc import abstractmethod
from collections.abc import Sequence

from physical.columns.column import from_values
from physical.engines.incremental.expiring_rows import ExpiringRows, together
from physical.engines.incremental.finish_aggregates import finished
from physical.engines.incremental.live_rows import LiveRows
from physical.engines.incremental.node import MergingNode
from physical.engines.incremental.partial import PartialResult, by_lifetime, merged, part_of, whatever_lifetime
from physical.engines.incremental.partial_layout import PartialLayout
from semantics import Multiset, Schema
from semantics import plan as op
from semantics.aggregate import aggregate


class PartialStore:
    """The partial results of all valid basic windows, one after the other, and of those that have not begun yet."""

    def __init__(self, layout: PartialLayout, schema: Schema, keys: Sequence[int]) -> None:
        self.layout = layout
        key_types = [schema.types[key] for key in keys]
        self.summary = LiveRows([*key_types, *layout.types])
        self.details = [LiveRows([*key_types, *flow.types]) for flow in layout.details]
        self.chunks: dict[int, list[PartialResult]] = {}
        self.changed = True

    def add(self, partial: PartialResult, start: int) -> None:
        """Store the partial result of a basic window, or of a chunk of one, for the slide at which it begins."""
        self.chunks.setdefault(start, []).append(partial)

    def expire(self, now: int) -> None:
        """Drop the basic windows that are over."""
        expired = [basket.expire(now) for basket in self.baskets]
        self.changed = self.changed or any(expired)

    def begin(self, now: int) -> None:
        """Add the basic window that begins; its chunks are merged into one partial result."""
        arrived = self.chunks.pop(now, [])
        if arrived:
            self.append(arrived[0] if len(arrived) == 1 else self.chunks_as_one(arrived))
            self.changed = True

    def chunks_as_one(self, chunks: Sequence[PartialResult]) -> PartialResult:
        """The chunks of a basic window, merged as basic windows are."""
        details = [together(rows) for rows in zip(*(chunk.details for chunk in chunks), strict=True)]
        whole = PartialResult(together([chunk.summary for chunk in chunks]), tuple(details))
        return merged(self.layout, whole, by_lifetime)

    def merged(self) -> PartialResult:
        """The result of the whole window; if all of it expires together (landmarks), the result replaces the parts."""
        kept = PartialResult(self.summary.rows, tuple(basket.rows for basket in self.details))
        whole = merged(self.layout, kept, whatever_lifetime)
        if self.summary.expires_at_once:
            self.replace(whole)
        return whole

    def held(self) -> list[ExpiringRows]:
        """Everything in the state. A detail is more columns of the same groups, so only the longest batch counts."""
        early = [p for chunks in self.chunks.values() for p in chunks]
        now = PartialResult(self.summary.rows, tuple(basket.rows for basket in self.details))
        return [max((p.summary, *p.details), key=len) for p in (now, *early)]

    @property
    def baskets(self) -> list[LiveRows]:
        """Where all parts are: the summary, and the rows of every detail."""
        return [self.summary, *self.details]

    def append(self, partial: PartialResult) -> None:
        """Add one part."""
        for basket, rows in zip(self.baskets, [partial.summary, *partial.details], strict=True):
            basket.append(rows)

    def replace(self, partial: PartialResult) -> None:
        """Put one cumulative result in the place of many partial ones."""
        for basket, rows in zip(self.baskets, [partial.summary, *partial.details], strict=True):
            basket.replace(rows)


class StoringNode(MergingNode):
    """A node that merges partial results."""

    def __init__(self, layout: PartialLayout, schema: Schema, keys: Sequence[int]) -> None:
        super().__init__()
        self.store = PartialStore(layout, schema, keys)
        self.result: ExpiringRows | None = None

    @abstractmethod
    def whole(self) -> ExpiringRows:
        """The result of the whole window."""

    def expire(self, now: int) -> None:
        self.store.expire(now)

    def slide(self, now: int, until: int) -> None:
        """Merge the partial results; if nothing has changed, the last result is given again."""
        self.store.expire(now)
        self.store.begin(now)
        if self.store.changed or self.result is None:
            self.result = self.whole()
            self.store.changed = False
        self.give(self.result.until(until), now)

    def held(self) -> list[ExpiringRows]:
        return self.store.held()


class GroupNode(StoringNode):
    """γ, α and δ: merges partial results and finishes the aggregates of the window."""

    def __init__(self, plan: op.Grouping | op.Aggregation | op.Distinct) -> None:
        self.keys = _keys(plan)
        self.aggregates = () if isinstance(plan, op.Distinct) else plan.aggregates
        self.types = plan.schema.types
        self.on_empty = isinstance(plan, op.Aggregation) and plan.on_empty
        self.layout = PartialLayout.of(len(self.keys), self.aggregates)
        super().__init__(self.layout, plan.input.schema, self.keys)

    def absorb(self, port: int, rows: ExpiringRows, start: int) -> None:  # noqa: ARG002  # there is one input
        self.store.add(part_of(self.layout, self.keys, rows), start)

    def whole(self) -> ExpiringRows:
        if len(self.store.summary) == 0:
            return self._of_nothing()
        whole = self.store.merged()
        keys = whole.summary.columns[: len(self.keys)]
        return whole.summary.with_columns([*keys, *finished(self.layout, self.aggregates, whole)])

    def _of_nothing(self) -> ExpiringRows:
        """The aggregates of an empty snapshot, if it has any."""
        rows = [[aggregate(function, Multiset()) for function in self.aggregates]] if self.on_empty else []
        columns = tuple(from_values([row[i] for row in rows], type_) for i, type_ in enumerate(self.types))
        return ExpiringRows(columns, len(rows), 0)


def _keys(plan: op.Grouping | op.Aggregation | op.Distinct) -> tuple[int, ...]:
    match plan:
        case op.Grouping(keys=keys):
            return keys
        case op.Distinct():
            return tuple(range(len(plan.schema)))
        case op.Aggregation():
            return ()
