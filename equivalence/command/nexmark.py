"""`snapeq nexmark`: auctions to try queries on."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from equivalence.command.terminal import AsJson, Seed, print_json, working


class Ending(StrEnum):
    """The formats to write."""

    CSV = "csv"
    PARQUET = "parquet"


def nexmark_command(
    size: Annotated[int, typer.Option(metavar="N", min=1, help="How many bids; there is an auction for every ten.")],
    out: Annotated[Path, typer.Option(metavar="FOLDER", help="Where the files go.")],
    format: Annotated[Ending, typer.Option(help="CSV or Parquet.")] = Ending.CSV,
    seed: Seed = 0,
    as_json: AsJson = False,
) -> None:
    """Write NEXMark auctions: Person, Item, Category, OpenAuction, ClosedAuction and Bid.

    \b
    Example:
      snapeq nexmark --size 10000 --out auctions
      snapeq run selection.sql --catalog schema.sql --stream Bid=auctions/Bid.csv
    """
    from equivalence.command.workloads.nexmark import Auctions

    with working("writing"):
        paths = [str(path) for path in Auctions(size, seed).write(out, format.value)]
    print_json({"files": paths}) if as_json else typer.echo("\n".join(paths))
