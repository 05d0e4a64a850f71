"""Does the cost model see what happens? Its predictions for the NEXMark queries, beside what their operators did.

`python -m benchmarks.studies.predictions [BIDS]` makes the auctions, measures statistics on the first rows as
`snapeq run` does, and prints two tables: for every operator of the plan that runs, elements predicted and seen; for
every query, the predicted gain of the optimised plan and the processor time of both plans.
"""

import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from time import process_time

from equivalence.command.workloads.nexmark import Auctions
from equivalence.optimizer.cost import Costs, Statistics
from equivalence.optimizer.measure import measured
from equivalence.query_files.chosen_plan import chosen_plan
from equivalence.query_files.query_over_files import QueryOverFiles, read_query
from equivalence.query_files.stream_files import raw_sources, readers
from physical.engines.interval.algebra import interval_graph
from physical.files.reader import FileReader
from physical.files.run_in_batches import feed
from physical.runtime.operator_graph import OperatorGraph
from semantics import Plan
from semantics.notation.show import show_step

EXAMPLES = Path(__file__).parent.parent.parent / "examples" / "nexmark"
WRITTEN_LATE = """SELECT itemID, sellerID FROM (
  SELECT B.itemID, B.bid_price, O.sellerID FROM Bid WINDOW(RANGE 2 DAYS) B, OpenAuction O WINDOW(RANGE 2 DAYS)
  WHERE B.itemID = O.itemID) WHERE bid_price > 900"""
WRITTEN_IN_A_BAD_ORDER = """SELECT B.bid_price, C.buyerID
FROM OpenAuction WINDOW(RANGE 2 DAYS) O, Bid WINDOW(RANGE 2 DAYS) B, ClosedAuction C
WHERE O.itemID = B.itemID AND O.itemID = C.itemID"""
NAMES = ("selection", "short_auctions", "highest_bid", "closing_price", "hot_item")
QUERIES = {
    **{name: str(EXAMPLES / f"{name}.sql") for name in NAMES},
    "late filter": WRITTEN_LATE,
    "bad order": WRITTEN_IN_A_BAD_ORDER,
}


def main(bids: int) -> None:
    with TemporaryDirectory() as folder:
        Auctions(bids).write(Path(folder), "parquet")
        print("| query | operator | predicted | seen | ratio |\n|---|---|---|---|---|")
        gains = [_query(name, text, Path(folder)) for name, text in QUERIES.items()]
    print("\n| query | predicted gain | as written, CPU | optimised, CPU | gain seen |\n|---|---|---|---|---|")
    for name, predicted, written, optimised in gains:
        print(f"| {name} | {predicted:.2f} | {written:.2f} s | {optimised:.2f} s | {written / optimised:.2f} |")


def _query(name: str, text: str, folder: Path) -> tuple[str, float, float, float]:
    query = read_query(text, EXAMPLES / "schema.sql")
    files = readers({source.name: folder / f"{source.name}.parquet" for source in query.sources}, query)
    chosen = chosen_plan(query, files)
    graph = _run(chosen.plan, query, files)
    for row in _rows(graph, Costs({n: _statistics(reader) for n, reader in files.items()}), _span(files)):
        print(f"| {name} | {row}")
    times = [min(_timed(plan, query, files) for _ in range(3)) for plan in (query.plan, chosen.plan)]
    return name, chosen.original_cost / chosen.cost, times[0], times[1]


def _statistics(reader: FileReader) -> Statistics:
    return measured(next(iter(reader.batches())).elements)


def _span(files: Mapping[str, FileReader]) -> float:
    """How many instants the streams take."""
    starts = [batch.elements.start for reader in files.values() for batch in reader.batches() if len(batch.elements)]
    times = [time for start in starts for time in (int(start[0]), int(start[-1])) if time]
    return float(max(times) - min(times) + 1)


def _rows(graph: OperatorGraph, costs: Costs, span: float) -> Iterator[str]:
    for node in graph.nodes:
        if node.part is not None and node.part.kind in ("source", "operator"):
            predicted = costs.flow(node.part.logical).rate * span
            ratio = f"{predicted / node.emitted:.2f}" if node.emitted else "–"
            yield f"{show_step(node.part.logical)} | {predicted:,.0f} | {node.emitted:,} | {ratio} |"


def _run(plan: Plan, query: QueryOverFiles, files: Mapping[str, FileReader]) -> OperatorGraph:
    graph = interval_graph()
    graph.query(plan, raw_sources(query))
    feed(graph, {name: (batch.elements for batch in reader.batches()) for name, reader in files.items()})
    return graph


def _timed(plan: Plan, query: QueryOverFiles, files: Mapping[str, FileReader]) -> float:
    before = process_time()
    _run(plan, query, files)
    return process_time() - before


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 200_000)
