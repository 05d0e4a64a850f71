"""NEXMark auctions at any size, from a seed: streams and tables in files, made piece by piece.

An auction opens, gets bids that rise, and closes within two days. What lies in the future of the auctions opened so
far waits in memory until its time comes; so memory depends on how many auctions are open at once.
"""

from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
import pyarrow as pa

from physical.files.writer import TableSink, table_in_file
from physical.kernels.types import Array, Ints

AUCTIONS_PER_CHUNK: Final = 1 << 14
"""Generated at once, and so held in memory."""
BIDS_PER_AUCTION: Final = 10
"""On average."""
FIRST_ITEM: Final = 1000
LONGEST_AUCTION: Final = 2 * 24 * 3600
"""Two days in seconds; an auction closes before they are over."""
CATEGORIES: Final = 20
CITIES: Final = ("Lisbon", "Oslo", "Portland", "Marburg", "Kyoto", None)

Frame = dict[str, Array]
TIME: Final = "timestamp"
INT, TEXT = pa.int64(), pa.string()
COLUMNS: Final = {
    "Category": {"id": INT, "name": TEXT, "parentID": INT},
    "Person": {"id": INT, "name": TEXT, "city": TEXT},
    "Item": {"id": INT, "name": TEXT, "categoryID": INT},
    "OpenAuction": {"itemID": INT, "sellerID": INT, "start_price": pa.float64(), TIME: None},
    "ClosedAuction": {"itemID": INT, "buyerID": INT, TIME: None},
    "Bid": {"itemID": INT, "bid_price": pa.float64(), "bidderID": INT, TIME: None},
}
"""The streams and tables, as in examples/nexmark/schema.sql; None is a time."""


@dataclass(frozen=True)
class Auctions:
    """How many bids, the seed, and when the first auction opens, in seconds since 1970."""

    bids: int
    seed: int = 0
    start: int = 1_238_544_000
    tick: int = 1
    """All times are multiples of this many seconds."""
    gap: int = 10
    """Seconds from one opening to the next, on average."""

    @property
    def auctions(self) -> int:
        return -(-self.bids // BIDS_PER_AUCTION)

    @property
    def persons(self) -> int:
        return max(self.bids // 50, 10)

    def write(self, folder: Path, ending: str = "csv") -> list[Path]:
        """Write all streams and tables into a folder."""
        folder.mkdir(parents=True, exist_ok=True)
        paths = {name: folder / f"{name}.{ending}" for name in COLUMNS}
        with ExitStack() as stack:
            sinks = {
                name: stack.enter_context(table_in_file(path, _schema(name, ending))) for name, path in paths.items()
            }
            for name, frame in self.frames():
                _write(sinks[name], frame, _schema(name, ending))
        return list(paths.values())

    def frames(self) -> Iterator[tuple[str, Frame]]:
        """Pieces of streams and tables, those of a stream in the order of time."""
        yield "Category", _categories()
        for first in range(0, self.persons, AUCTIONS_PER_CHUNK):
            yield "Person", _persons(np.arange(first, min(first + AUCTIONS_PER_CHUNK, self.persons)))
        random = np.random.default_rng(self.seed)
        later: dict[str, Frame] = {}
        opened, now = 0, self.start
        while opened < self.auctions:
            count = min(AUCTIONS_PER_CHUNK, self.auctions - opened)
            bids = min(count * BIDS_PER_AUCTION, self.bids - opened * BIDS_PER_AUCTION)
            made = self._opened(random, opened, count, bids, now)
            now, opened = int(made["OpenAuction"][TIME][-1]), opened + count
            yield "Item", made.pop("Item")
            yield "OpenAuction", made.pop("OpenAuction")
            yield from _due(later, made, now if opened < self.auctions else None)

    def _opened(self, random: np.random.Generator, first: int, count: int, bids: int, now: int) -> dict[str, Frame]:
        """Some auctions with their whole future."""
        item = FIRST_ITEM + first + np.arange(count)
        opening = self._ticks(now + np.cumsum(random.exponential(self.gap, count)))
        closing = opening + np.maximum(self._ticks(random.uniform(60, LONGEST_AUCTION, count)), self.tick)
        closing = np.minimum(closing, opening + LONGEST_AUCTION - self.tick)
        price = np.round(random.lognormal(3, 1, count), 2)
        opened = {
            "itemID": item,
            "sellerID": random.integers(0, self.persons, count),
            "start_price": price,
            TIME: opening,
        }
        bid = self._bids(random, bids, item, opening, closing, price)
        closed = {"itemID": item, "buyerID": _last_bidder(bid, item), TIME: closing}
        items = {"id": item, "name": _names("item", item), "categoryID": random.integers(0, CATEGORIES, count)}
        return {"Item": items, "OpenAuction": opened, "Bid": bid, "ClosedAuction": closed}

    def _bids(
        self, random: np.random.Generator, bids: int, item: Ints, opening: Ints, closing: Ints, price: Array
    ) -> Frame:
        """Bids while an auction is open, each higher than the one before, by item and time."""
        of = np.sort(random.integers(0, len(item), bids))
        moment = self._ticks(opening[of] + random.random(bids) * (closing - opening)[of])
        order = np.lexsort([moment, of])
        of, moment = of[order], moment[order]
        rank = np.arange(bids) - np.searchsorted(of, of)
        bid_price = np.round(price[of] * 1.1 ** np.minimum(rank + 1, 60), 2)
        return {
            "itemID": item[of],
            "bid_price": bid_price,
            "bidderID": random.integers(0, self.persons, bids),
            TIME: moment,
        }

    def _ticks(self, seconds: Array) -> Ints:
        ticks: Ints = np.floor(seconds).astype(np.int64) // self.tick * self.tick
        return ticks


def _due(later: dict[str, Frame], made: dict[str, Frame], now: int | None) -> Iterator[tuple[str, Frame]]:
    """The events before now, in the order of time; later ones are put off."""
    for name, frame in made.items():
        before = later.get(name, {column: values[:0] for column, values in frame.items()})
        whole = {column: np.concatenate([before[column], values]) for column, values in frame.items()}
        order = np.argsort(whole[TIME], kind="stable")
        count = len(order) if now is None else int(np.searchsorted(whole[TIME][order], now, side="left"))
        later[name] = {column: values[order[count:]] for column, values in whole.items()}
        yield name, {column: values[order[:count]] for column, values in whole.items()}


def _last_bidder(bid: Frame, item: Ints) -> Array:
    """Who made the last bid on each item; −1 if there is none."""
    buyer = np.full(len(item), -1)
    buyer[bid["itemID"] - item[0]] = bid["bidderID"]
    return buyer


def _categories() -> Frame:
    ids = np.arange(CATEGORIES)
    return {"id": ids, "name": _names("category", ids), "parentID": np.where(ids < 4, -1, ids // 4)}


def _persons(ids: Ints) -> Frame:
    cities = np.array(CITIES, object)[ids * 7 % len(CITIES)]
    return {"id": ids, "name": _names("person", ids), "city": cities}


def _names(kind: str, ids: Ints) -> Array:
    return np.array([f"{kind} {number}" for number in ids.tolist()], object)


def _schema(name: str, ending: str) -> pa.Schema:
    time = pa.timestamp("s", "UTC") if ending != "csv" else TEXT
    return pa.schema([(column, time if type_ is None else type_) for column, type_ in COLUMNS[name].items()])


def _write(sink: TableSink, frame: Frame, schema: pa.Schema) -> None:
    arrays = [_array(field, frame[field.name]) for field in schema]
    sink.write(pa.Table.from_arrays(arrays, schema=schema))


def _array(field: Any, values: Array) -> pa.Array:
    """Numbers below 0 stand for NULL; times become text where the format has no type for them."""
    if field.name == TIME and field.type == TEXT:
        return pa.array(np.char.add(values.astype("datetime64[s]").astype(str), "Z"))
    if field.name == TIME:
        return pa.array(values).cast(field.type)
    return pa.array(values, field.type, mask=values < 0 if values.dtype == np.int64 else None)
