"""What can be asked of a running system over HTTP, without HTTP: each answer is a document, each error has a status."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from physical.files.locate import brief_value
from physical.live.core import plan_of
from physical.live.feeders import LineSource
from physical.live.graph_view import graph_document, net_svg
from physical.live.records import SentLines
from physical.live.results import listed
from physical.live.running_query import PlanChoice, RunningQuery
from physical.live.system import LiveSystem, NoRoom
from physical.live.watch import Watch, described
from semantics import Plan, SnapeqError, show
from semantics.sql import SqlError

Document = dict[str, Any] | list[Any]
MOST_DIGITS: Final = 19
"""Of a number in a request."""
Tree = Callable[[Plan], list[str]]


@dataclass(frozen=True)
class Request:
    """A request: its path in parts, the parameters behind the question mark, and its body."""

    method: str
    path: tuple[str, ...]
    parameters: Mapping[str, str]
    body: bytes = b""

    def document(self) -> dict[str, Any]:
        """The body, which must be a JSON object."""
        try:
            found = json.loads(self.body or b"{}")
        except ValueError as error:
            raise ApiError(400, f"the body is no JSON: {error}") from None
        except RecursionError:
            raise ApiError(400, "the body is nested too deeply") from None
        if not isinstance(found, dict):
            raise ApiError(400, "the body must be a JSON object")
        return found

    def fields(self, *names: str) -> dict[str, Any]:
        """The body, which must be a JSON object with no other fields than these."""
        found = self.document()
        for name in found.keys() - set(names):
            raise ApiError(400, f"there is no field {name!r} here; expected {', '.join(names)}")
        return found

    def text(self, name: str) -> str:
        """A field of the body that must be a text."""
        value = self.document().get(name)
        if not isinstance(value, str) or not value.strip():
            raise ApiError(400, f"expected a text in the field {name!r}")
        return value

    def number(self, name: str, default: int | None = None) -> int | None:
        """A parameter that must be a whole number."""
        value = self.parameters.get(name)
        if value is None:
            return default
        if not is_number(value):
            raise ApiError(400, f"{name}: expected a whole number, got {brief_value(value)}")
        return int(value)


class ApiError(SnapeqError):
    """A request that cannot be answered, with the status that says so."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status


def is_number(text: str) -> bool:
    """Is this a whole number, and none of a size that nobody means?"""
    return text.isdecimal() and len(text) <= MOST_DIGITS


def error_document(error: SnapeqError) -> tuple[int, Document]:
    """The status and the document that describe an error; errors in SQL say where they are."""
    about: dict[str, Any] = {"message": str(error)}
    if isinstance(error, SqlError):
        about |= {"line": error.line, "column": error.column, "problem": error.problem, "expected": error.expected}
    status = error.status if isinstance(error, ApiError) else 503 if isinstance(error, NoRoom) else 400
    return status, {"error": about}


class Api:
    """The routes: one method for each."""

    def __init__(self, system: LiveSystem, watch: Watch, tree: Tree = lambda plan: [show(plan)]) -> None:
        self.system, self.watch, self.tree = system, watch, tree

    def answer(self, request: Request) -> Document:
        """The document that answers a request."""
        match (request.method, *request.path):
            case ("GET",):
                return self.watch.sample()
            case ("GET", "queries"):
                return [self.query(query) for query in self._queries().values()]
            case ("POST", "queries"):
                return self._add(request)
            case ("GET", "queries", name):
                return self.query(self._query(name))
            case ("DELETE", "queries", name):
                self._query(name)
                self.system.remove(name)
                return {"removed": name}
            case ("POST", "queries", name, "migrate"):
                return self._migrate(self._query(name))
            case ("GET", "queries", name, "results"):
                return self._results(self._query(name), request)
            case ("POST", "check"):
                return self._check(request.text("sql"))
            case ("GET", "streams"):
                sample: list[Any] = self.watch.sample()["streams"]
                return sample
            case ("POST", "streams", name):
                return self._lines(self._stream(name), request)
            case ("POST", "streams", name, "heartbeat"):
                return self._heartbeat(self._stream(name), request)
            case ("POST", "streams", name, "end"):
                self.system.end(self._stream(name))
                return {"ended": name}
            case ("GET", "graph"):
                with self.system.lock:
                    return graph_document(self.system.core.session)
            case ("GET", "net"):
                with self.system.lock:
                    return {"svg": net_svg(self.system.core.session)}
            case ("POST", "checkpoint"):
                return {"saved": self.system.checkpoint(), "problem": self.system.checkpoint_problem}
            case _:
                raise ApiError(404, f"there is no {request.method} /api/{'/'.join(request.path)}")

    def query(self, query: RunningQuery) -> dict[str, Any]:
        """What is known of a running query."""
        plan = self._plan(query.asked, query.choice)
        file = None if query.file is None else str(query.file.path)
        columns = described(query.asked.schema)
        about = {"name": query.name, "sql": query.sql, "columns": columns, "results": query.buffer.number}
        return about | {"file": file} | plan

    def _plan(self, asked: Plan, choice: PlanChoice) -> dict[str, Any]:
        return {
            "plan": self.tree(asked),
            "optimised": self.tree(choice.plan),
            "steps": list(choice.steps),
            "cost": choice.cost,
            "original_cost": choice.original_cost,
        }

    def _add(self, request: Request) -> Document:
        name, optimise = request.text("name"), request.fields("name", "sql", "optimise").get("optimise", True)
        if not isinstance(optimise, bool):
            raise ApiError(400, "expected true or false in the field 'optimise'")
        if name in self._queries():
            raise ApiError(409, f"there is a query {name!r} already; expected another name")
        return self.query(self.system.add(name, request.text("sql"), optimise=optimise))

    def _migrate(self, query: RunningQuery) -> Document:
        """Let the best plan take over; says at which instant, or that it runs already."""
        before = query.choice.plan
        self.system.migrate(query.name)
        return self.query(query) | {"takes_over": None if query.choice.plan == before else query.takes_over}

    def _check(self, sql: str) -> Document:
        """What a query would become, without starting it."""
        plan = plan_of(sql, self.system.around.declared)
        with self.system.lock:
            choice = self.system.around.optimise(plan, self.system.core.situation(""))
        return {"columns": described(plan.schema)} | self._plan(plan, choice)

    def _results(self, query: RunningQuery, request: Request) -> Document:
        after = request.number("after")
        last = request.number("last", 100)
        assert last is not None
        begin, batches = query.buffer.after(max(query.buffer.number - last, 0) if after is None else after)
        names = [*query.asked.schema.names, "_start", "_end"]
        return {"first": begin, "next": query.buffer.number, "columns": names, "rows": list(listed(batches))}

    def _lines(self, stream: str, request: Request) -> Document:
        sender = request.parameters.get("sender", "")
        source = LineSource(self.system, stream, "http", sender)
        first, total = request.number("first"), {"elements": 0, "bad": 0, "late": 0}
        if first is not None and not sender:
            raise ApiError(400, "first numbers the lines of a sender; expected a name in the parameter 'sender', too")
        with self.system.lock:
            for lines in [*source.feed(request.body), *source.end()]:
                receipt = self._sent(lines, first)
                total = {name: count + getattr(receipt, name) for name, count in total.items()}
                first = None if first is None else first + lines.count
            return total | ({"next": self.system.core.senders.get(sender, 0)} if sender else {})

    def _sent(self, lines: SentLines, first: int | None) -> Any:
        try:
            return self.system.sent(lines, first)
        except NoRoom:
            raise
        except SnapeqError as error:
            raise ApiError(409 if lines.sender else 400, str(error)) from None

    def _heartbeat(self, stream: str, request: Request) -> Document:
        time = request.fields("time").get("time")
        if not isinstance(time, int) or isinstance(time, bool):
            raise ApiError(400, "expected a whole number in the field 'time'")
        self.system.heartbeat(time, stream)
        return {"stream": stream, "heartbeat": time}

    def _queries(self) -> dict[str, RunningQuery]:
        with self.system.lock:
            return dict(self.system.core.queries)

    def _query(self, name: str) -> RunningQuery:
        found = self._queries().get(name)
        if found is None:
            raise ApiError(404, f"there is no query {name!r}; queries: {', '.join(self._queries()) or 'none'}")
        return found

    def _stream(self, name: str) -> str:
        try:
            found = self.system.around.declared.find(name)
            self.system.core.stream(found)
            return found
        except SnapeqError as error:
            raise ApiError(404, str(error)) from None
