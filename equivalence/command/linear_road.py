"""`snapeq linear-road`: traffic to try queries on."""

from pathlib import Path
from typing import Annotated

import typer

from equivalence.command.nexmark import Ending
from equivalence.command.terminal import AsJson, Seed, print_json, working


def linear_road_command(
    out: Annotated[Path, typer.Option(metavar="FOLDER", help="Where the files go.")],
    load: Annotated[
        float, typer.Option(metavar="N", min=0.001, help="How many expressways; a fraction means fewer cars.")
    ] = 0.1,
    minutes: Annotated[int, typer.Option(metavar="MINUTES", min=3, help="How long; the benchmark has 180.")] = 30,
    format: Annotated[Ending, typer.Option(help="CSV or Parquet.")] = Ending.CSV,
    seed: Seed = 0,
    as_json: AsJson = False,
) -> None:
    """Write the traffic of Linear Road: Position, BalanceRequest, ExpenditureRequest, Tariff and History.

    \b
    Example:
      snapeq linear-road --load 0.5 --minutes 10 --out traffic
      snapeq run stopped.sql --catalog schema.sql \\
        --stream Position=traffic/Position.csv

    At load 1, cars send 20 reports a second after the first minute and 1,700 after three hours, 13 million in all (the
    benchmark has 12). The traffic is made in memory, with some 200 bytes for every report.
    """
    from equivalence.command.workloads.linear_road import Traffic

    with working("writing"):
        paths = [str(path) for path in Traffic.at_load(load, minutes, seed).write(out, format.value)]
    print_json({"files": paths}) if as_json else typer.echo("\n".join(paths))
