"""What `snapeq check` does not do on Spark: said before Spark is started, each with what to do instead."""

from pathlib import Path
from typing import TYPE_CHECKING, Final

from semantics import SnapeqError

if TYPE_CHECKING:
    from equivalence.command.recorded_output import OutputOptions

HERE: Final = "expected --engine interval, which reads every kind"
LOGS: Final = ("retract", "debezium", "upsert")
MADE_INTERVALS: Final = (
    "or make intervals of the log, and check these: "
    "snapeq run 'CREATE STREAM Log(…) ORDERED BY …; SELECT … FROM Log' --stream Log=FILE --input-as Log={kind} "
    "--out intervals.parquet"
)


def check_for_spark(output: str, said: "OutputOptions", others: dict[str, bool]) -> None:
    """Refuse what Spark does not do here; `others` are further options, and whether they were given."""
    if said.engine_unit is not None:
        raise SnapeqError("--engine-unit: not with --engine spark; write the times in the query's unit")
    if others.get("--slack"):
        raise SnapeqError("--slack: not with --engine spark, which takes rows in any order")
    if said.kind not in (None, "intervals"):
        raise SnapeqError(_not_intervals(f"--as {said.kind}", said.kind))
    given = [option for option, is_given in {**said.only_for_recordings(), **others}.items() if is_given]
    if given:
        raise SnapeqError(f"{', '.join(given)}: not with --engine spark; expected --engine interval")
    if _shows_another_kind(Path(output)):
        raise SnapeqError(_not_intervals(f"{output}: there is no column _start", None))


def _not_intervals(what: str, kind: str | None) -> str:
    from equivalence.recordings.kinds import kind_named

    known = None if kind is None else kind_named(kind)
    remedies = [HERE, *([MADE_INTERVALS.format(kind=known or "KIND")] if known is None or known in LOGS else [])]
    return f"{what}: --engine spark checks intervals only, with _start, _end and _count; {'; '.join(remedies)}"


def _shows_another_kind(output: Path) -> bool:
    """Is it a file on this machine that has columns, and no intervals? Other addresses are Spark's to read."""
    from equivalence.command.recorded_output import readable_names
    from physical.files.layout import START

    if not output.is_file():
        return False
    try:
        names = readable_names(output)
    except SnapeqError:
        return False
    return bool(names) and START not in names
