"""What happens to a running system from outside, as records that can be written to a log and read again."""

import json
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Final

from physical.live.lines import Header

if TYPE_CHECKING:
    from mmap import mmap


@dataclass(frozen=True)
class FileLines:
    """Bytes of a file, from one position up to another: whole lines of a stream."""

    stream: str
    path: str
    begin: int
    end: int
    header: Header = None
    overlong: bool = False
    """Is it one line that is too long to be read?"""


@dataclass(frozen=True)
class SentLines:
    """Whole lines that were sent by somebody. A sender with a name numbers its lines, so that none counts twice."""

    stream: str
    origin: str
    header: Header
    text: bytes
    sender: str = ""
    count: int = 0
    overlong: bool = False


@dataclass(frozen=True)
class Heartbeat:
    """No later element of a stream, or of any stream, starts before this instant."""

    time: int
    stream: str | None = None


@dataclass(frozen=True)
class AddQuery:
    """A query begins under a name."""

    name: str
    sql: str
    optimise: bool = True


@dataclass(frozen=True)
class RemoveQuery:
    """A query ends."""

    name: str


@dataclass(frozen=True)
class MigrateQuery:
    """The plan of a running query is exchanged for the best one known now."""

    name: str


Record = FileLines | SentLines | Heartbeat | AddQuery | RemoveQuery | MigrateQuery
KINDS: Final[dict[str, type[Record]]] = {
    kind.__name__: kind for kind in (FileLines, SentLines, Heartbeat, AddQuery, RemoveQuery, MigrateQuery)
}


def encoded(record: Record) -> bytes:
    """A line of JSON, and the sent text behind it if there is one.

    >>> encoded(Heartbeat(7))
    b'{"kind": "Heartbeat", "time": 7, "stream": null}\\n'
    """
    fields = asdict(record)
    text = fields.pop("text", None)
    about = {"kind": type(record).__name__, **fields, **({} if text is None else {"bytes": len(text)})}
    return json.dumps(about).encode() + b"\n" + (text or b"")


def decoded(data: "bytes | mmap", at: int) -> tuple[Record, int] | None:
    """The record that begins at a position, and where it ends; None if it was not written completely.

    >>> decoded(encoded(Heartbeat(7, "S")), 0)
    (Heartbeat(time=7, stream='S'), 48)
    """
    line_end = data.find(b"\n", at)
    if line_end < 0:
        return None
    fields = json.loads(data[at:line_end])
    kind, size = fields.pop("kind"), fields.pop("bytes", None)
    if "header" in fields and fields["header"] is not None:
        fields["header"] = tuple(fields["header"])
    end = line_end + 1 + (size or 0)
    if end > len(data):
        return None
    if size is not None:
        fields["text"] = data[line_end + 1 : end]
    return KINDS[kind](**fields), end
