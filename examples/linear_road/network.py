"""Queries that hand on their results through shared stores: every stream is stored once, whoever reads it.

A box is a query whose sources are streams from outside or results of other boxes. It runs as a session of its own; the
store between two boxes keeps elements until all who read it have done so.
"""

from collections.abc import Mapping, Sequence

from physical.columns.stream import PhysicalStream, joined
from physical.engines.interval.session import Session
from physical.kernels.types import ENDLESS
from physical.storage.consumers import StoreReader
from physical.storage.create import create
from physical.storage.errors import StoreError
from physical.storage.parameters import Parameters, Persistent, ReadPattern, UpdatePattern
from physical.storage.patterns import Consume, Expire, update_pattern
from physical.storage.store import Store
from physical.storage.stored_elements import item_schema, items_of, stream_of
from semantics import Plan, Schema
from semantics.plan import Source
from semantics.sql import Catalogue, parse_script
from semantics.sql.catalogue import Derived
from semantics.value import Row


def boxes_of(texts: Sequence[str], catalogue: Catalogue) -> dict[str, Plan]:
    """Derived streams, each in a text of its own, as plans over the streams that they name: earlier ones or sources."""
    boxes: dict[str, Plan] = {}
    for text in texts:
        made = parse_script(text, catalogue)
        (name,) = set(made.catalogue.relations) - set(catalogue.relations)
        catalogue = made.catalogue
        catalogue.relations[name] = Derived(name, Source(name, made.plan.schema))
        boxes[name] = made.plan
    return boxes


class QueryBox:
    """One running query: a reader for each of its streams, and the elements that it has given out."""

    def __init__(self, name: str, plan: Plan) -> None:
        self.name = name
        self.schema = plan.schema
        self.sources = plan.sources()
        self.session = Session(self.sources, allow_unbounded=True)
        self.session.add(name, plan)
        self.session.subscribe(name, lambda batch: self.made.append(batch))
        self.made: list[PhysicalStream] = []

    def step(self, inputs: Mapping[str, PhysicalStream], t: int) -> PhysicalStream:
        """Take what is new, and give out all that is valid before t."""
        self.made = [PhysicalStream.empty(self.schema)]
        for source, batch in inputs.items():
            if len(batch):
                self.session.push(source, batch)
        self.session.heartbeat(t)
        return joined(self.made)


class Network:
    """Boxes and the stores between them, in the order in which results are handed on."""

    def __init__(
        self, boxes: Mapping[str, Plan], *, shared: bool = True, tables: Mapping[str, Persistent | None] = {}
    ) -> None:
        self.boxes = {name: QueryBox(name, plan) for name, plan in boxes.items()}
        self.shared = shared
        self.tables = tables
        self.stores: dict[str, list[Store]] = {}
        """The store of every stream, or one for each of those who read it."""
        self.readers: dict[tuple[str, str], tuple[Store, StoreReader]] = {}
        self.results = {name: [PhysicalStream.empty(box.schema)] for name, box in self.boxes.items()}
        for name, schema in self._schemas().items():
            self._connect(name, schema)

    def push(self, name: str, batch: PhysicalStream) -> None:
        """Store new elements of a stream from outside."""
        if name not in self.stores:
            raise StoreError(f"push: nobody reads {name!r}; streams: {', '.join(self.stores)}")
        items = items_of(batch)
        for store in self.stores[name]:
            for item in items:
                store.buffer_item(item)

    def advance(self, t: int = ENDLESS) -> None:
        """Nothing more starts before t: let every box work up to there."""
        for name, box in self.boxes.items():
            output = box.step({source: self._read(name, source) for source in box.sources}, t)
            self.results[name].append(output)
            if name in self.stores:
                self.push(name, output)

    def result(self, name: str) -> PhysicalStream:
        """All that a box has given out so far."""
        return joined(self.results[name])

    def close(self) -> None:
        """Let go of databases."""
        for stores in self.stores.values():
            for store in stores:
                store.close()

    def _schemas(self) -> dict[str, Schema]:
        return {name: schema for box in self.boxes.values() for name, schema in box.sources.items()}

    def _connect(self, name: str, schema: Schema) -> None:
        """The stores of one stream, with a reader for every box that reads it."""
        boxes = tuple(box.name for box in self.boxes.values() if name in box.sources)
        groups = [boxes] if self.shared else [(box,) for box in boxes]
        self.stores[name] = [create(self._parameters(name, schema, group)) for group in groups]
        for store, group in zip(self.stores[name], groups, strict=True):
            for box in group:
                self.readers[box, name] = (store, store.reader(box))

    def _parameters(self, name: str, schema: Schema, boxes: tuple[str, ...]) -> Parameters:
        """A queue that boxes read once; a table stays, archived where its place says."""
        consume = Consume.NEVER if name in self.tables else Consume.ORDERED
        return Parameters(
            schema=item_schema(schema),
            read=ReadPattern.SEQUENTIAL,
            persistence=self.tables.get(name),
            update=update_pattern(Expire.NEVER, [consume] * len(boxes)),
            sharing=boxes,
        )

    def _read(self, box: str, name: str) -> PhysicalStream:
        """What a box has not read yet of a stream; it does not need it again."""
        store, reader = self.readers[box, name]
        items: list[Row] = []
        while (entry := reader.next_item()) is not None:
            items.append(entry[1])
        if store.parameters.update is not UpdatePattern.NO_UPDATE:
            store.consume_up_to(box, reader.position - 1)
        return stream_of(self.boxes[box].sources[name], items)
