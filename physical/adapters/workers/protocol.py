"""Requests and answers, a line of JSON each, as docs/protocol.md says."""

import json
import os
import sys
from collections.abc import Callable
from typing import Any, Final

Request = dict[str, Any]
Node = dict[str, Any]
Row = tuple[Any, ...]

BITS: Final = 2**63
FLOATS: Final = {"NaN": float("nan"), "Infinity": float("inf"), "-Infinity": float("-inf")}


class Unsupported(Exception):
    """The engine cannot run the plan."""


def serve(hello: dict[str, object], run: Callable[[Request], list[object]]) -> None:
    """Answer requests until nobody asks any more; what the engine prints goes to standard error."""
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    for line in sys.stdin:
        request = json.loads(line)
        answers.write(json.dumps({"id": request["id"], **_answer(request, hello, run)}) + "\n")
        answers.flush()


def _answer(request: Request, hello: dict[str, object], run: Callable[[Request], list[object]]) -> dict[str, object]:
    if request["do"] == "hello":
        return {"protocol": 1, **hello}
    if request["do"] != "run":
        return {"error": f"unknown request {request['do']}"}
    try:
        return {"kind": request["result"], "rows": run(request)}
    except Unsupported as reason:
        return {"unsupported": str(reason)}
    except Exception as error:  # whatever an engine raises is its answer
        return {"error": f"{type(error).__name__}: {error}"[:2000]}


def read(value: Any, type_: str) -> Any:
    """A value of this type, as it comes."""
    if value is None or type_ in ("bool", "str"):
        return value
    if type_ == "int":
        return int(value)
    return FLOATS[value] if isinstance(value, str) else float(value)


def written(value: Any) -> Any:
    """A value as it goes: large integers and floats that are no numbers are texts."""
    if isinstance(value, bool) or value is None or isinstance(value, str):
        return value
    if isinstance(value, int):
        return value if abs(value) < 2**53 else str(value)
    named = {name: special for name, special in FLOATS.items() if value == special}
    return "NaN" if value != value else next(iter(named), float(value))


def rows_of(stream: Node) -> list[Row]:
    """The rows of a stream; the last values are their times."""
    types = [type_ for _, type_ in stream["columns"]]
    return [
        (
            *(read(v, t) for v, t in zip(line, types, strict=False)),
            *(None if t is None else int(t) for t in line[len(types) :]),
        )
        for line in stream["rows"]
    ]
