"""`snapeq translate`: the same query in the words of another dialect."""

from pathlib import Path
from typing import Annotated

import typer

from equivalence.command.run import CatalogFile, QueryText
from equivalence.command.terminal import AsJson, print_json, warn
from semantics import SnapeqError


def translate_command(
    query: QueryText,
    source: Annotated[str, typer.Option("--from", metavar="NAME", help="The dialect of QUERY.")],
    target: Annotated[str, typer.Option("--to", metavar="NAME", help="The dialect that is wanted.")] = "snapeq",
    catalog: CatalogFile = None,
    as_json: AsJson = False,
) -> None:
    """The same query in the words of another dialect, or what cannot be kept.

    \b
    Examples:
      snapeq translate query.sql --from flink --to spark
      snapeq translate query.sql --from ksqldb

    The text that comes out has been read again: both plans are equal. To snapeq, the windows and times that a dialect
    implies are written out.
    """
    from semantics.sql import SqlError
    from semantics.sql.dialects.translation import translate

    text = Path(query).read_text(encoding="utf-8-sig") if query.endswith(".sql") else query
    declared = "" if catalog is None else catalog.read_text(encoding="utf-8-sig")
    try:
        made = translate(text, source, target, declared)
    except SqlError as error:
        raise SnapeqError(f"{query if query.endswith('.sql') else 'query'}: {error}") from None
    for remark in made.lost:
        warn(f"snapeq: not kept: {remark}")
    if as_json:
        print_json({"from": source, "to": target, "query": made.text, "lost": list(made.lost)})
    else:
        typer.echo(made.text)
