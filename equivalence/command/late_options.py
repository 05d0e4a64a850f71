"""The options of `run` and `check` for inputs: rows that come late or in disorder, and changelogs."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

import typer

from equivalence.command.terminal import warn
from semantics import SnapeqError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from equivalence.query_files.query_over_files import QueryOverFiles
    from equivalence.recordings.late_policy import Lateness

Watermarks = Annotated[
    list[str] | None,
    typer.Option(
        "--watermark",
        metavar="EXPR",
        help="Input comes in arrival order, with this watermark: 'ts - 5 SECONDS', a column, or STREAM=EXPR.",
    ),
]
Late = Annotated[
    str | None,
    typer.Option(
        metavar="RULE", help="What becomes of late rows: drop-pane, drop-row, drop-bin, drop-key, update, keep."
    ),
]
PolicyName = Annotated[
    str | None,
    typer.Option(
        "--policy",
        metavar="ENGINE",
        help="As this one: flink, flink-over, spark, risingwave, arroyo, ksqldb, ksqldb-final, feldera.",
    ),
]
Batch = Annotated[
    str | None,
    typer.Option(metavar="NAME", help="The column with a row's micro-batch; or one, or each (row). Spark needs it."),
]

InputKinds = Annotated[
    list[str] | None,
    typer.Option(
        "--input-as", metavar="NAME=KIND", help="The file of a stream is a changelog: retract, debezium or upsert."
    ),
]


@dataclass(frozen=True)
class LateOptions:
    """The options as they were given."""

    watermarks: list[str] | None = None
    late: str | None = None
    policy: str | None = None
    batch: str | None = None

    def given(self) -> bool:
        return self != LateOptions()

    def lateness(self, query: "QueryOverFiles", slack: int) -> "Lateness | None":
        """The policy; None if rows come in order."""
        if not self.given():
            return None
        if slack:
            raise SnapeqError("--slack: not with --watermark, --late or --policy, which take rows in any order")
        from equivalence.recordings.late_policy import lateness_of

        return lateness_of(query, self.policy, self.late, self.watermarks or (), self.batch)


def with_shown_logs(said: "Sequence[str]", query: "QueryOverFiles", files: "Mapping[str, Path]") -> list[str]:
    """The options --input-as, and those for files that show themselves to be logs; that is said."""
    from equivalence.recordings.shown_logs import shown_logs

    found = list(said)
    for option, why in shown_logs(query, files, tuple(said)):
        warn(f"snapeq: {why}; if it is something else, say --input-as")
        found.append(option)
    return found
