"""`snapeq explain`: the plans of a query."""

from typing import TYPE_CHECKING, Annotated, assert_never

import typer

from equivalence.command.dialect_option import Dialect
from equivalence.command.engine_names import LocalEngine
from equivalence.command.run import CatalogFile, Functions, QueryText, Streams
from equivalence.command.terminal import AsJson, print_json
from semantics import SnapeqError

if TYPE_CHECKING:
    from equivalence.optimizer.optimize import Optimized
    from equivalence.query_files.query_over_files import QueryOverFiles


def explain_command(
    query: QueryText,
    stream: Streams = None,
    catalog: CatalogFile = None,
    dialect: Dialect = None,
    as_dot: Annotated[bool, typer.Option("--dot", help="Print the plans for Graphviz.")] = False,
    as_svg: Annotated[bool, typer.Option("--svg", help="Print the plans as a picture.")] = False,
    engine: Annotated[LocalEngine, typer.Option(help="Whose physical plan.")] = LocalEngine.INTERVAL,
    functions: Functions = None,
    as_json: AsJson = False,
) -> None:
    """The logical, the optimised and the physical plan of a query; snapshot-reducible operators are marked ●.

    \b
    Examples:
      snapeq explain 'SELECT DISTINCT item FROM Bid WINDOW(RANGE 10)' \\
        --catalog schema.sql
      snapeq explain query.sql --stream Bid=bids.csv

    The optimised plan is what `snapeq run` runs. Which plan is the cheapest depends on the data: with the files, rates,
    lengths, values and selectivities are measured on their first rows, as `run` does.
    """
    from equivalence.query_files.chosen_plan import chosen_plan
    from equivalence.query_files.query_over_files import read_query
    from equivalence.query_files.stream_files import named_files, readers

    if as_dot + as_svg + as_json > 1:
        raise SnapeqError("explain: expected one of --dot, --svg and --json")
    parsed_query = read_query(query, catalog, functions or (), dialect)
    files = readers(named_files(stream, parsed_query), parsed_query) if stream else {}
    chosen = chosen_plan(parsed_query, files)
    if as_json:
        print_json(_document(parsed_query, chosen, engine))
    elif as_dot or as_svg:
        typer.echo(_drawing(parsed_query, chosen, as_dot))
    else:
        typer.echo("\n".join(_lines(parsed_query, chosen, engine)))


def _lines(query: "QueryOverFiles", chosen: "Optimized", engine: LocalEngine) -> list[str]:
    from equivalence.report.plan_drawing import indented_tree

    steps = [f"  by {step.rule}" for step in chosen.derivation] or ["  nothing is cheaper"]
    said = [] if query.reading is None else ["in snapeq's words", query.reading.text, ""]
    return [
        *said,
        "logical plan (● snapshot-reducible)",
        *indented_tree(query.plan),
        "",
        f"optimised plan (cost {chosen.original_cost:.4g} → {chosen.cost:.4g})",
        *indented_tree(chosen.plan),
        *steps,
        "",
        "physical plan",
        _physical(query, chosen, engine),
    ]


def _physical(query: "QueryOverFiles", chosen: "Optimized", engine: LocalEngine) -> str:
    """How an engine would run the chosen plan, in the words of that engine."""
    from equivalence.query_files.stream_files import raw_sources
    from physical.engines.delta.planning import delta_plan
    from physical.engines.incremental import rewriter
    from physical.planning.coalesce import coalesced_plan
    from physical.planning.planner import explain, explain_node

    raw = raw_sources(query)
    match engine:
        case LocalEngine.INTERVAL:
            return explain_node(coalesced_plan(chosen.plan, raw))
        case LocalEngine.STORED:
            from physical.engines.stored.operator_state import explain as explain_stores

            return f"{explain(chosen.plan, raw)}\n\nstores\n{explain_stores(chosen.plan, raw)}"
        case LocalEngine.DELTA:
            return explain_node(delta_plan(chosen.plan, raw))
        case LocalEngine.INCREMENTAL | LocalEngine.REEVALUATION:
            return rewriter.explain(chosen.plan)
        case LocalEngine.DATAFLOW:
            from physical.engines.dataflow.engine import explain as explain_net

            return explain_net(chosen.plan, raw)
        case _:
            assert_never(engine)


def _drawing(query: "QueryOverFiles", chosen: "Optimized", as_dot: bool) -> str:
    from equivalence.query_files.stream_files import raw_sources
    from equivalence.report.plan_drawing import logical_drawing, physical_drawing, to_dot, to_svg
    from physical.planning.coalesce import coalesced_plan

    drawings = [
        logical_drawing("logical plan", query.plan),
        logical_drawing("optimised plan", chosen.plan),
        physical_drawing("physical plan", coalesced_plan(chosen.plan, raw_sources(query))),
    ]
    return to_dot(drawings) if as_dot else to_svg(drawings)


def _document(query: "QueryOverFiles", chosen: "Optimized", engine: LocalEngine) -> dict[str, object]:
    from equivalence.report.plan_drawing import indented_tree
    from semantics import show

    said = {} if query.reading is None else {"query": query.reading.text, "output": query.reading.kind}
    return {
        **said,
        "logical": {"plan": show(query.plan), "tree": indented_tree(query.plan), "cost": chosen.original_cost},
        "optimised": {"plan": show(chosen.plan), "tree": indented_tree(chosen.plan), "cost": chosen.cost},
        "derivation": [step.rule for step in chosen.derivation],
        "physical": _physical(query, chosen, engine).splitlines(),
    }
