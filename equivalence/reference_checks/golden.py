"""Golden cases: a title, streams, a plan, and the snapshots that it must have, written down by people.

    title: Table IV, the time-based sliding window of size 2
    stream S1: raw(x str): ('c')@1 ('a')@2
    plan: S1(x str) | window(range 2)
    horizon: 5
    at 1: {('c')}
    at 2: {('a'), ('c')}
    at 3: {('a')}

An instant that is not mentioned must be empty. Lines that begin with # are comments. In the folder `sql` of the corpus,
a query stands behind `sql:`, below its streams, in the place of a plan.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from semantics import (
    IntervalStream,
    LogicalStream,
    Multiset,
    NotationError,
    Plan,
    RawStream,
    SnapeqError,
    Stream,
    parse,
    parse_plan,
    show,
)
from semantics.notation.parse import LARGEST_READ_NUMBER

SUFFIX = ".case"


@dataclass(frozen=True)
class GoldenCase:
    """A plan over given streams, and what it must give at the instants 0 … horizon − 1."""

    name: str
    title: str
    streams: Mapping[str, Stream]
    plan: Plan
    expected: LogicalStream


def corpus_folder() -> Path:
    """Where the golden corpus lies: in an installed package beside this module, in a checkout with the tests."""
    installed = Path(__file__).with_name("corpus")
    return installed if installed.is_dir() else Path(__file__).parents[2] / "tests" / "corpus"


def load_corpus(folder: Path) -> list[GoldenCase]:
    """All cases of a folder, by name."""
    return [load_case(path) for path in sorted(folder.glob(f"*{SUFFIX}"))]


def load_case(path: Path) -> GoldenCase:
    """One case from its file; errors name the file and the line."""
    return parse_case(path.stem, path.read_text(encoding="utf-8"))


def parse_case(name: str, text: str) -> GoldenCase:
    """One case from its text."""
    streams: dict[str, Stream] = {}
    snapshots: dict[int, Multiset] = {}
    parts: dict[str, Any] = {}
    for number, key, value in _lines(name, text):
        try:
            match key.split():
                case ["title"] if "title" not in parts:
                    parts["title"] = value
                case ["plan"] if "plan" not in parts:
                    parts["plan"] = parse_plan(value)
                case ["sql"] if "plan" not in parts:
                    parts["plan"] = _query(value, streams)
                case ["horizon"] if "horizon" not in parts:
                    parts["horizon"] = _horizon(value)
                case ["stream", stream] if stream not in streams:
                    streams[stream] = _stream(parse(value))
                case ["at", instant] if instant.isdecimal() and int(instant) not in snapshots:
                    snapshots[int(instant)] = _snapshot(parse(value))
                case _:
                    raise NotationError(
                        f"expected title, stream NAME, plan or sql, horizon or at INSTANT once, got {key!r}"
                    )
        except SnapeqError as error:
            raise NotationError(f"{name}{SUFFIX}, line {number}: {error}") from None
    return _case(name, parts, streams, snapshots)


def _query(text: str, streams: Mapping[str, Stream]) -> Plan:
    """The plan of a query over the streams that stand before it."""
    from semantics.sql import Catalogue, parse_query  # the corpus of plans needs no package

    return parse_query(text, Catalogue.of({name: stream.schema for name, stream in streams.items()}))


def _stream(value: object) -> Stream:
    if not isinstance(value, RawStream | IntervalStream | LogicalStream):
        raise NotationError(f"expected a raw, interval or logical stream, got {value!r}")
    return value


def _horizon(text: str) -> int:
    if not text.isdecimal() or len(text) > 7 or int(text) > LARGEST_READ_NUMBER:
        raise NotationError(f"expected a horizon from 0 to {LARGEST_READ_NUMBER}, got {text!r}")
    return int(text)


def _snapshot(value: object) -> Multiset:
    if not isinstance(value, Multiset):
        raise NotationError(f"expected a multiset in braces, got {value!r}")
    return value


def _lines(name: str, text: str) -> Iterator[tuple[int, str, str]]:
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        key, colon, value = line.partition(":")
        if not colon:
            raise NotationError(f"{name}{SUFFIX}, line {number}: expected 'key: value', got {line!r}")
        yield number, key.strip(), value.strip()


def _case(
    name: str, parts: Mapping[str, Any], streams: Mapping[str, Stream], snapshots: Mapping[int, Multiset]
) -> GoldenCase:
    missing = {"title", "plan", "horizon"} - set(parts)
    if missing:
        raise NotationError(f"{name}{SUFFIX}: expected a title, a plan and a horizon; missing: {sorted(missing)}")
    plan, horizon = parts["plan"], parts["horizon"]
    strangers = [row for snapshot in snapshots.values() for row in snapshot.support if not plan.schema.fits(row)]
    if strangers:
        raise NotationError(f"{name}{SUFFIX}: expected rows of exactly {plan.schema}, got {show(strangers[0])}")
    beyond = [t for t in snapshots if t >= horizon]
    if beyond:
        raise NotationError(f"{name}{SUFFIX}: instants must be before the horizon {horizon}, got {beyond}")
    return GoldenCase(
        name,
        parts["title"],
        streams,
        plan,
        LogicalStream(plan.schema, tuple(snapshots.get(t, Multiset()) for t in range(horizon))),
    )
