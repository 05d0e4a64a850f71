"""The prompt of `snapeq live`: queries come and go by what is typed on the terminal."""

import sys
from collections.abc import Callable
from threading import Event, Thread
from typing import Final

from physical.files.locate import brief_value
from physical.live.api import Api, is_number
from semantics import SnapeqError
from semantics.how_many import how_many

HELP: Final = """\
add NAME SELECT …     start a query (one line)
remove NAME           stop a query
show NAME             its last ten results
plan NAME             its plan as asked and as it runs
queries, streams      what is running
heartbeat TIME        nothing earlier will come, in any stream
quit                  stop the system"""


class Prompt(Thread):
    """Reads commands, one per line, and answers on stderr: stdout may carry results."""

    def __init__(self, api: Api, stopping: Event) -> None:
        super().__init__(name="prompt", daemon=True)
        self.api, self.stopping = api, stopping

    def run(self) -> None:
        say("type help for help")
        for line in sys.stdin:
            if self.stopping.is_set():
                return
            try:
                self.obey(line.strip())
            except SnapeqError as error:
                say(str(error))
        if sys.stdin.isatty():
            self.stopping.set()

    def obey(self, line: str) -> None:
        """Do what a line says."""
        word, _, rest = line.partition(" ")
        commands: dict[str, Callable[[str], None]] = {
            "": lambda _: None,
            "help": lambda _: say(HELP),
            "add": self._add,
            "remove": self._remove,
            "show": self._show,
            "plan": self._plan,
            "queries": self._queries,
            "streams": self._streams,
            "heartbeat": self._heartbeat,
            "quit": lambda _: self.stopping.set(),
        }
        if word not in commands:
            raise SnapeqError(f"{word}: expected one of {', '.join(filter(None, commands))}")
        commands[word](rest.strip())

    def _add(self, rest: str) -> None:
        name, _, sql = rest.partition(" ")
        query = self.api.system.add(name, sql.strip().rstrip(";"))
        say(f"{name} is running; columns: {', '.join(query.asked.schema.names)}")

    def _remove(self, name: str) -> None:
        self.api.system.remove(name)
        say(f"{name} is removed")

    def _show(self, name: str) -> None:
        query = self.api.system.core.query(name)
        number = query.buffer.number
        _, batches = query.buffer.after(max(number - 10, 0))
        for row, interval in (element for batch in batches for element in batch.to_interval().elements):
            say(f"{interval}  {', '.join(map(str, row))}")
        say(f"{number} results so far")

    def _plan(self, name: str) -> None:
        about = self.api.query(self.api.system.core.query(name))
        say("\n".join(about["plan"]))
        if about["steps"]:
            say("\n".join(["runs as", *about["optimised"], *(f"  by {rule}" for rule in about["steps"])]))

    def _queries(self, _: str) -> None:
        for query in self.api.watch.sample()["queries"]:
            say(f"{query['name']}: {query['results']} results, {query['rate']}/s: {query['sql']}")

    def _streams(self, _: str) -> None:
        for stream in self.api.watch.sample()["streams"]:
            elements = how_many(stream["elements"], "element")
            counts = f"{elements}, {stream['rate']}/s, {stream['late']} late, {stream['bad']} bad"
            say(f"{stream['name']}: {counts}; heartbeat {stream['heartbeat']}")

    def _heartbeat(self, rest: str) -> None:
        if not is_number(rest):
            raise SnapeqError(f"heartbeat: expected a time, a whole number, got {brief_value(rest)}")
        self.api.system.heartbeat(int(rest))


def say(text: str) -> None:
    """Print on stderr, without anything that a terminal would obey."""
    safe = "".join(c if c == "\n" or c.isprintable() else "�" for c in text)
    print(safe, file=sys.stderr, flush=True)
