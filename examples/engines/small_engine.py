"""A small engine with sessions, which needs nothing but Python. A stream is a list of (row, start, end).

With --bug, a filter keeps rows for which its predicate is unknown.
"""

import json
import sys
from itertools import pairwise
from operator import add, eq, ge, gt, le, lt, mul, ne, sub

KEPT = (True, None) if "--bug" in sys.argv else (True,)
FOREVER = float("inf")
ARITHMETIC = {"+": add, "-": sub, "*": mul}
COMPARISONS = {"=": eq, "<>": ne, "<": lt, "<=": le, ">": gt, ">=": ge}


def decoded(value, kind="int"):
    return int(value) if kind == "int" and value is not None else value  # it may be text


def encoded(value):
    return None if value == FOREVER else str(value) if type(value) is int and abs(value) >= 2**53 else value


def whole(value):
    if not -(2**63) <= value < 2**63:
        raise OverflowError("an integer leaves 64 bits")
    return value


def value_of(e, row):
    """The value of an expression; None is NULL, and unknown."""
    op = e["op"]
    if op == "column":
        return row[e["index"]]
    if op == "constant":
        return decoded(e["value"], e["type"])
    values = [value_of(arg, row) for arg in e["args"]]
    if op == "is null":
        return values[0] is None
    if op in ("and", "or") and (op == "or") in values:
        return op == "or"
    if None in values:
        return None
    if op in ("and", "or", "not"):
        return op == "and" if len(values) == 2 else not values[0]
    return whole(ARITHMETIC[op](*values)) if op in ARITHMETIC else COMPARISONS[op](*values)


def aggregate(a, rows):
    if a["function"] == "count rows":
        return len(rows)
    values = [v for row in rows if (v := value_of(a["argument"], row)) is not None]
    functions = {"count": len, "sum": lambda v: whole(sum(v)), "min": min, "max": max}
    return functions[a["function"]](values) if values or a["function"] == "count" else None


def grouped(elements, key_of, aggregates):
    """A row for each group, between each two moments at which something of it comes or goes."""
    groups = {}
    for element in elements:
        groups.setdefault(key_of(element[0]), []).append(element)
    for key, members in groups.items():
        for start, end in pairwise(sorted({t for _, *span in members for t in span})):
            if rows := [row for row, s, e in members if s <= start < e]:
                yield (*key, *(aggregate(a, rows) for a in aggregates)), start, end


def windowed(elements, size, slide, horizon):
    """Each instant of a row counts by itself: it is seen from the next slide on, for as long as the window is."""
    for row, start, end in elements:
        for t in range(start, min(end, horizon)):
            first, last = -(-t // slide) * slide, FOREVER if size is None else -(-(t + size) // slide) * slide
            if first < last:
                yield row, first, last


OPERATORS = {
    "Filter": lambda n, a: [e for e in a if value_of(n["predicate"], e[0]) in KEPT],
    "Map": lambda n, a: [(tuple(value_of(x, row) for x in n["expressions"]), *span) for row, *span in a],
    "Union": lambda _, a, b: a + b,
    "Distinct": lambda _, a: grouped(a, lambda row: row, []),
    "Grouping": lambda n, a: grouped(a, lambda row: tuple(row[k] for k in n["keys"]), n["aggregates"]),
}
HELLO = {
    "protocol": 1,
    "engine": "small python",
    "operators": ["Source", "TimeWindow", *OPERATORS],
    "expressions": ["column", "constant", *ARITHMETIC, *COMPARISONS, "and", "or", "not", "is null"],
    "aggregates": ["count rows", "count", "sum", "min", "max"],
    "types": ["int", "str", "bool"],
    "sessions": True,
}


def evaluated(node, streams, horizon):
    inputs = [list(evaluated(child, streams, horizon)) for child in node.get("inputs", [])]
    if node["operator"] == "Source":
        return streams[node["name"]]
    if node["operator"] == "TimeWindow":
        return windowed(inputs[0], decoded(node["size"]), decoded(node["slide"]), horizon)
    return OPERATORS[node["operator"]](node, *inputs)


def elements(rows, columns):
    kinds = [kind for _, kind in columns]
    times = [(decoded(row[-2]), FOREVER if row[-1] is None else decoded(row[-1])) for row in rows]
    return [(tuple(map(decoded, row[:-2], kinds)), *time) for row, time in zip(rows, times, strict=True)]


def result(found):
    return {"kind": "intervals", "rows": [[*map(encoded, row), encoded(s), encoded(e)] for row, s, e in found]}


def in_session(asked, session):
    """Keep all that comes, and tell of each result the part that the last heartbeat made final."""
    do, source = asked["do"], asked.get("source")
    if do == "push":
        session["came"][source] += elements(asked["rows"], session["streams"][source]["columns"])
    if do == "heartbeat":
        session["times"] |= dict.fromkeys(session["times"] if source is None else [source], decoded(asked["time"]))
    if do != "result":
        return {}
    since, session["told"] = session["told"], (told := min(session["times"].values()))
    found = evaluated(session["plan"], session["came"], told)
    return result((row, max(s, since), min(e, told)) for row, s, e in found if max(s, since) < min(e, told))


def answered(asked, sessions):
    streams = asked.get("streams", {})
    if asked["do"] == "hello":
        return HELLO
    if asked["do"] == "run":
        read = {name: elements(stream["rows"], stream["columns"]) for name, stream in streams.items()}
        return result(evaluated(asked["plan"], read, decoded(asked["horizon"]) or FOREVER))
    if asked["do"] == "open":
        state = {"came": {name: [] for name in streams}, "times": dict.fromkeys(streams, 0), "told": 0}
        sessions[asked["session"]] = asked | state
    return in_session(asked, sessions[asked["session"]])


if __name__ == "__main__":
    running = {}
    for line in sys.stdin:
        request = json.loads(line)
        try:
            answer = answered(request, running)
        except Exception as error:
            answer = {"error": f"{type(error).__name__}: {error}"}
        print(json.dumps({"id": request["id"], **answer}), flush=True)
