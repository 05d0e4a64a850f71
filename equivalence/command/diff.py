"""`snapeq diff`: are two result files snapshot-equivalent?"""

from pathlib import Path
from typing import Annotated

import typer

from equivalence.command.on_spark import INTERVAL, Conf, Master, Partitions, SparkTarget, diff_on_spark, is_spark
from equivalence.command.show_difference import end_with_difference, lines
from equivalence.command.show_verdict import write_page
from equivalence.command.terminal import AsJson, HtmlFile, check_writable, working


def diff_command(
    a: Annotated[str, typer.Argument(metavar="A", help="An interval file: its columns, `_start` and `_end`.")],
    b: Annotated[str, typer.Argument(metavar="B", help="Another, of any format.")],
    engine: Annotated[str, typer.Option(metavar="NAME", help="interval, or spark for folders and tables.")] = INTERVAL,
    master: Master = None,
    partitions: Partitions = None,
    conf: Conf = None,
    as_json: AsJson = False,
    html: HtmlFile = None,
) -> None:
    """Do two files hold the same rows equally often at every instant?

    \b
    Example:
      snapeq diff mine.parquet theirs.csv

    Rows may overlap, repeat, be cut into pieces and stand in any order; `_count` says how often a row is there, and is
    1 where there is no such column. Exit code 0 if they are equivalent, 1 if not.
    """
    from equivalence.query_files.compare_files import compare_files
    from equivalence.verdicts.verdict import Verdict

    check_writable(html)
    if is_spark(engine):
        difference = diff_on_spark(a, b, SparkTarget.of(master, partitions, conf))
    else:
        with working("comparing"):
            difference = compare_files(Path(a), Path(b))
    if html is not None:
        verdict = Verdict("agreed" if difference is None else "refuted")
        write_page(html, f"snapeq diff {a} {b}", verdict, "\n".join(lines(difference, (a, b))))
    end_with_difference(difference, (a, b), as_json, [])
