"""`python -m benchmarks.storage [--cars N] [--minutes M] [--repeat K]`: stores that know how they are used."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from benchmarks.harness.chart import chart
from benchmarks.storage.published import PAPER_6, PAPER_7, judged
from benchmarks.storage.report import Report, reports_of
from benchmarks.storage.response import Response, busy, by_minute, response_of, speed_for, work_of
from benchmarks.storage.road import LinearRoad, Outcome
from benchmarks.storage.sharing import SPEED_0, STATISTICS, Answer, Sharing, run_reading, run_sharing
from benchmarks.storage.stores import Knowledge, Stores
from equivalence.command.workloads.linear_road import Traffic
from physical.columns.stream import PhysicalStream
from physical.storage.parameters import ReadPattern


def main(
    cars: Annotated[int, typer.Option(min=20, help="Cars on the road in all.")] = 4000,
    minutes: Annotated[int, typer.Option(min=10, help="How long they drive.")] = 30,
    repeat: Annotated[int, typer.Option(min=1, help="Runs of everything; the best counts.")] = 3,
    seed: Annotated[int, typer.Option(help="Of the traffic.")] = 0,
    plot: Annotated[Path | None, typer.Option(help="Write the response times of every minute as SVG.")] = None,
) -> None:
    """Linear Road over stores of which nothing is known, whose update pattern is known, and also their read pattern."""
    traffic = Traffic(cars=cars, minutes=minutes, segments=20, few=6, accidents=max(cars // 400, 2), seed=seed)
    positions = traffic.streams["Position"]
    print(f"{len(positions)} position reports of {cars} cars in {minutes} minutes; times are of the processor\n")
    print_table_6(reports_of(positions), traffic.few, repeat, plot)
    print_figure_10(positions, repeat)
    print_table_7(positions, repeat)


def print_table_6(reports: Sequence[Report], few: int, repeat: int, plot: Path | None) -> None:
    chosen = _best(reports, few, repeat)
    assert len({(tuple(o.tolls), tuple(o.alerts)) for o in chosen.values()}) == 1, "all stores give the same alerts"
    speed = speed_for(chosen[Knowledge.BASELINE])
    if plot is not None:
        series = {known.value: by_minute(outcome, speed) for known, outcome in chosen.items()}
        plot.write_text(chart("Response to toll alerts", "minute", "average s", series), encoding="utf-8")
    found = {known: response_of(outcome, speed, len(reports)) for known, outcome in chosen.items()}
    part = busy(chosen[Knowledge.BASELINE], speed)
    print(
        f"Table 6: toll alerts, traffic so fast that as many are late as in the paper's Baseline; busy for {part:.0%}"
    )
    print(
        f"{'stores':<18}{'µs/report':>10}{'average s':>11}{'longest s':>11}{'late':>8}{'late %':>8}{'most items':>12}"
    )
    for known, r in found.items():
        numbers = f"{r.work:>10.1f}{r.average:>11.3f}{r.longest:>11.2f}{r.late:>8}{100 * r.late_share:>8.2f}"
        print(f"{known.value:<18}{numbers}{chosen[known].held:>12}")
    base = found[Knowledge.BASELINE]
    for known in (Knowledge.UPDATE, Knowledge.READ):
        _print_gains(known.value, base, found[known])
    step = found[Knowledge.UPDATE].work / found[Knowledge.READ].work
    print(f"  work, read pattern beside update pattern: {judged(step, 0.715 / 0.52)} of average response\n")


def _print_gains(name: str, base: Response, tuned: Response) -> None:
    (average, longest, late), (own_average, own_longest, own_late) = PAPER_6["Baseline"], PAPER_6[name]
    print(f"  {name}: work per report {base.work / tuned.work:.2f} × less")
    print(f"    average response {judged(base.average / tuned.average, average / own_average)}")
    print(f"    longest response {judged(base.longest / tuned.longest, longest / own_longest)}")
    late_ratio = f"{base.late} late alerts become {tuned.late}, in the paper {late} % become {own_late} %"
    print(f"    {'agrees' if tuned.late < base.late else 'disagrees'}: {late_ratio}")


def print_figure_10(positions: PhysicalStream, repeat: int) -> None:
    """The speed-0 query reads its window one item after the other, whatever the store expects."""
    patterns = (ReadPattern.SEQUENTIAL, ReadPattern.CLUSTERED, ReadPattern.RANDOM)
    runs: dict[ReadPattern, list[tuple[float, Answer]]] = {pattern: [] for pattern in patterns}
    for _ in range(repeat):
        for pattern in patterns:
            runs[pattern].append(run_reading(positions, pattern))
    assert len({tuple(answer) for found in runs.values() for _, answer in found}) == 1
    rates = {pattern: max(rate for rate, _ in found) for pattern, found in runs.items()}
    print("Figure 10: speed-0 query over a FIFO store, reports read per second")
    for pattern, rate in rates.items():
        print(f"{pattern.value:<18}{rate:>12,.0f}{rate / rates[ReadPattern.RANDOM]:>8.2f} × random")
    in_order = list(rates.values()) == sorted(rates.values(), reverse=True)
    print(f"  {'agrees' if in_order else 'disagrees'} with the published order: sequential, clustered, random\n")


def print_table_7(positions: PhysicalStream, repeat: int) -> None:
    groups: dict[str, list[tuple[str, ...]]] = {
        "shared": [(SPEED_0, STATISTICS)],
        "not shared": [(SPEED_0,), (STATISTICS,)],
    }
    runs: dict[str, list[Sharing]] = {name: [] for name in groups}
    for _ in range(repeat):
        for name, group in groups.items():
            runs[name].append(run_sharing(positions, group, False))
    memory = {name: run_sharing(positions, group, True).memory for name, group in groups.items()}
    rate = {name: max(run.rate for run in found) for name, found in runs.items()}
    shared, apart = runs["shared"][0], runs["not shared"][0]
    assert shared.answers == apart.answers
    print("Table 7: two queries over the same reports")
    for name in groups:
        print(f"{name:<18}{rate[name]:>12,.0f} reports/s{memory[name] / 1e6:>10.2f} MB at most")
    print(f"  throughput {judged(rate['shared'] / rate['not shared'], PAPER_7['throughput'])}")
    print(f"  memory {judged(memory['not shared'] / memory['shared'], PAPER_7['memory'])}")


def _best(reports: Sequence[Report], few: int, repeat: int) -> dict[Knowledge, Outcome]:
    """Of every kind of stores the run with the least work; they take turns, so that a busy machine hits them alike."""
    runs: dict[Knowledge, list[Outcome]] = {known: [] for known in Knowledge}
    for _ in range(repeat):
        for known, found in runs.items():
            found.append(LinearRoad(Stores.ordered(known), few).run(reports))
    return {known: min(found, key=work_of) for known, found in runs.items()}


if __name__ == "__main__":
    typer.run(main)
