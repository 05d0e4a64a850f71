"""An engine in a few lines of plain Python: panes, one row at a time, with a watermark. Slow and obvious."""

import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

Row = tuple[str, int]
"""An item and its time."""


def panes_of(t: int, size: int, slide: int, offset: int = 0) -> list[int]:
    """The ends of all panes [end − size, end) that hold the instant t."""
    first = (t - offset) // slide * slide + slide + offset
    return [end for end in range(first, t + size + 1, slide) if end - size <= t < end and end > 0]


def pane_counts(
    arrivals: Sequence[Row], size: int, slide: int, delay: int | None, rule: str, *, early: bool = False
) -> dict[tuple[str, int], int]:
    """How many rows of an item each pane counts, by (item, end of the pane)."""
    counts: Counter[tuple[str, int]] = Counter()
    watermark = -1
    for item, t in arrivals:
        bin_end = t // slide * slide + slide
        for end in panes_of(t, size, slide):
            is_closed = end - 1 <= watermark if early else end <= watermark
            dropped = {
                "drop-pane": is_closed,
                "drop-row": t < watermark,
                "drop-bin": bin_end <= watermark,
                "keep": False,
                "update": False,
            }[rule]
            if not dropped:
                counts[item, end] += 1
        if delay is not None:
            watermark = max(watermark, t - delay)
    return {key: n for key, n in counts.items() if n}


def session_counts(
    arrivals: Sequence[Row], gap: int, delay: int, rule: str, *, early: bool = False
) -> list[tuple[str, int, int, int]]:
    """Item, first instant, end and number of rows of each session, of which those at most a gap apart are one.

    `rule` says which rows are lost: those that no open session takes and whose own one is over ("open"), all whose own
    one is over ("alone"), or those whose session is over even with all that came before ("ended").
    """
    sessions: list[tuple[str, list[int]]] = []
    watermark = -1
    for item, t in arrivals:
        now = watermark

        def is_over(times: list[int], now: int = now) -> bool:
            end = max(times) + gap
            return end < now if rule == "ended" else end - 1 <= now if early else end <= now

        near = [
            session
            for session in sessions
            if session[0] == item
            and min(session[1]) - gap <= t <= max(session[1]) + gap
            and (rule == "ended" or not is_over(session[1]))
        ]
        whole = sorted([t, *(other for _, times in near for other in times)])
        if not is_over([t] if rule == "alone" else whole):
            sessions = [session for session in sessions if all(session is not other for other in near)]
            sessions.append((item, whole))
        watermark = max(watermark, t - delay)
    return sorted((item, min(times), max(times) + gap, len(times)) for item, times in sessions)


def as_panes(counts: dict[tuple[str, int], int], size: int) -> list[dict[str, Any]]:
    """One row per pane and item."""
    listed = sorted(counts.items(), key=lambda one: (one[0][1], one[0][0]))
    return [{"window_start": end - size, "window_end": end, "item": item, "cnt": n} for (item, end), n in listed]


def snapshots(arrivals: Iterable[Row], size: int) -> dict[int, dict[str, int]]:
    """At every instant at which something changes: the items of the last `size` instants, counted."""
    listed = list(arrivals)
    times = sorted({t + shift for _, t in listed for shift in (0, size)})
    return {now: dict(Counter(item for item, t in listed if now - size < t <= now)) for now in times}


def retract_log(found: dict[int, dict[str, int]]) -> list[dict[str, Any]]:
    """The changes from each snapshot to the next one."""
    log: list[dict[str, Any]] = []
    before: dict[str, int] = {}
    for t, now in found.items():
        for item in sorted({*before, *now}):
            old, new = before.get(item), now.get(item)
            if old == new:
                continue
            if old is not None:
                log.append({"op": "-D" if new is None else "-U", "item": item, "cnt": old, "ts": t})
            if new is not None:
                log.append({"op": "+I" if old is None else "+U", "item": item, "cnt": new, "ts": t})
        before = now
    return log


def upsert_log(log: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The same without old values; a deletion says only the key."""
    kept = [row for row in log if row["op"] != "-U"]
    return [{**row, "cnt": None} if row["op"] == "-D" else row for row in kept]


def debezium_log(log: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The same as envelopes; an update is one of them."""
    found: list[dict[str, Any]] = []
    waiting: dict[str, dict[str, Any]] = {}
    for row in log:
        values, ts = {"item": row["item"], "cnt": row["cnt"]}, row["ts"] * 1000
        match row["op"]:
            case "+I":
                found.append({"before": None, "after": values, "op": "c", "ts_ms": ts})
            case "-U":
                waiting[row["item"]] = values
            case "+U":
                found.append({"before": waiting.pop(row["item"]), "after": values, "op": "u", "ts_ms": ts})
            case "-D":
                found.append({"before": values, "after": None, "op": "d", "ts_ms": ts})
    return found


def versions(arrivals: Sequence[Row], size: int, slide: int) -> list[dict[str, Any]]:
    """Every version of every pane, one after each row."""
    counts: dict[tuple[str, int], int] = defaultdict(int)
    log = []
    for item, t in arrivals:
        for end in panes_of(t, size, slide):
            counts[item, end] += 1
            log.append({"item": item, "WINDOWSTART": (end - size) * 1000, "WINDOWEND": end * 1000})
            log[-1]["cnt"] = counts[item, end]
    return log


def write_lines(path: Path, rows: Iterable[dict[str, Any]]) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def write_arrivals(path: Path, arrivals: Iterable[Row]) -> Path:
    path.write_text("item,ts\n" + "".join(f"{item},{t}\n" for item, t in arrivals))
    return path
