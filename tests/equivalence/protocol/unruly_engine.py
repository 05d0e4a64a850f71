"""An engine that passes rows on, and does one thing wrong: what, is its argument. It needs nothing but Python."""

import json
import os
import sys
import time

WRONG = sys.argv[-1]
HELLO = {"protocol": 1, "engine": "unruly", "types": ["int"], "operators": ["Source", "Distinct"], "aggregates": []}
OTHER_HELLOS = {
    "no protocol": {"protocol": None},
    "misspelt": {"operators": ["Source", "Sourcery"]},
    "lifted": {"lifted": True},
    "csv": {"streams": ["csv"]},
    "events": {"inputs": "events", "results": ["events"]},
    "upsert": {"results": ["upsert"]},
    "debezium": {"results": ["debezium"]},
    "snapshot": {"results": ["snapshot"]},
    "updates": {"results": ["updates"], "operators": ["Source", "TimeWindow", "Distinct"]},
}


def answer(asked):
    if asked["do"] == "hello":
        return {**HELLO, **OTHER_HELLOS.get(WRONG, {})}
    if asked["do"] != "run":
        return {"error": "what?"}
    allowed = ("Source", "Distinct") if WRONG in ("lifted", "upsert", "updates") else ("Source",)
    if asked["plan"]["operator"] not in allowed:
        return {"unsupported": asked["plan"]["operator"]}
    node = asked["plan"]
    while "name" not in node:
        node = node["inputs"][0]
    stream = asked["streams"][node["name"]]
    if WRONG == "updates":
        found = versions(stream, int(asked["horizon"]))
    else:
        found = there(stream, int(asked["at"])) if WRONG == "snapshot" else rows(stream)
    return {"kind": asked["result"], "rows": found, "key": [0]}


def there(stream, at):
    return [[x] for x, start, end in stream["rows"] if int(start) <= at and (end is None or at < int(end))]


def versions(stream, horizon):
    """Every pane twice: windows have one instant."""
    spans = [(x, int(start), horizon if end is None else int(end)) for x, start, end in stream["rows"]]
    return [[x, t, t + 1] for x, start, end in spans for t in range(start, end)] * 2


def rows(stream):
    if WRONG == "csv":
        with open(stream["csv"], encoding="utf-8") as file:
            return [[int(x) if x else None for x in line.strip().split(",")] for line in list(file)[1:]]
    if WRONG in ("upsert", "debezium"):
        return changes(stream)
    return stream["rows"]


def changes(stream):
    """Rows that come and go, in the order of time, and going before coming."""
    rows = stream["rows"] if WRONG == "debezium" else [list(row) for row in dict.fromkeys(map(tuple, stream["rows"]))]
    found = [(t, sign, x) for x, *span in rows for t, sign in zip(span, "+-", strict=True) if t is not None]
    found.sort(key=lambda change: (int(change[0]), change[1] == "+"))
    if WRONG == "upsert":
        return [[sign, x, t] for t, sign, x in found]
    name = stream["columns"][0][0]
    sides = {"+": ("before", "after"), "-": ("after", "before")}
    return [{sides[sign][0]: None, sides[sign][1]: {name: x}, "ts_ms": t} for t, sign, x in found]


def said(asked):
    text = json.dumps({"id": asked["id"], **answer(asked)})
    if asked["do"] == "hello":
        return text + "\n"
    match WRONG:
        case "crash":
            print("out of luck", file=sys.stderr, flush=True)
            os._exit(3)
        case "hang":
            time.sleep(1000)
        case "garbage":
            return "Hello, world!\n"
        case "half a line":
            sys.stdout.write(text[:12])
            sys.stdout.flush()
            os._exit(0)
        case "extra output":
            return text + "\nby the way\n"
        case "wrong id":
            return json.dumps({**json.loads(text), "id": asked["id"] + 1}) + "\n"
        case "no object":
            return "[1]\n"
        case "wrong type":
            return json.dumps({"id": asked["id"], "kind": asked["result"], "rows": [["x", 0, 1]]}) + "\n"
        case "wrong kind":
            return json.dumps({"id": asked["id"], "kind": "poems", "rows": []}) + "\n"
        case "no rows":
            return json.dumps({"id": asked["id"], "kind": asked["result"]}) + "\n"
        case "short row":
            return json.dumps({"id": asked["id"], "kind": asked["result"], "rows": [[1, 0]]}) + "\n"
        case "backwards":
            return json.dumps({"id": asked["id"], "kind": asked["result"], "rows": [[1, 5, 5]]}) + "\n"
        case "fickle" if asked["streams"] and any(len(s["rows"]) > 1 for s in asked["streams"].values()):
            return json.dumps({"id": asked["id"], "unsupported": "so many rows"}) + "\n"
        case "rounds":
            return text.replace('["9007199254740993"', "[9007199254740992") + "\n"
    return text + "\n"


if __name__ == "__main__":
    for line in sys.stdin:
        sys.stdout.write(said(json.loads(line)))
        sys.stdout.flush()
