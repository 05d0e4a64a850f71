"""What `snapeq check` does not do on Spark: said before Spark is started, with what to do instead."""

from pathlib import Path
from typing import TYPE_CHECKING

from semantics import SnapeqError

if TYPE_CHECKING:
    from equivalence.command.recorded_output import OutputOptions


def is_recording_for_spark(output: str, said: "OutputOptions") -> bool:
    """Is it anything but intervals? Addresses of Spark can be intervals only, which Spark reads itself."""
    from equivalence.recordings.kinds import kind_named

    if said.kind is not None:
        return kind_named(said.kind) != "intervals"
    path = Path(output)
    return path.exists() and _shows_another_kind(path)


def check_for_spark(said: "OutputOptions", others: dict[str, bool], *, recording: bool) -> None:
    """Refuse what Spark does not do here; `others` are further options, and whether they were given."""
    if said.engine_unit is not None and not recording:
        raise SnapeqError("--engine-unit: not with --engine spark and intervals; write the times in the query's unit")
    if others.get("--slack"):
        raise SnapeqError("--slack: not with --engine spark, which takes rows in any order")
    own = {"--tolerance": bool(said.tolerance)} if recording else said.only_for_recordings()
    given = [option for option, is_given in {**own, **others}.items() if is_given]
    if given:
        raise SnapeqError(f"{', '.join(given)}: not with --engine spark; expected --engine interval")


def _shows_another_kind(output: Path) -> bool:
    """Has a file of this machine, or the first one of a folder, columns, and no intervals?"""
    from pyarrow import ArrowException

    from equivalence.recordings.recorded_files import files_in
    from physical.files.layout import START
    from physical.files.raw_batches import column_names

    try:
        names = column_names(next(iter(files_in(output)), output))
    except SnapeqError:
        return True
    except (ArrowException, UnicodeDecodeError):
        return False
    return bool(names) and START not in names
