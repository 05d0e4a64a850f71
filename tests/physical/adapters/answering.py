"""A worker process for tests: what it holds is a number, and requests do something with it."""

import os
from dataclasses import dataclass

from physical.adapters.worker_process import serve
from physical.files.errors import FileError
from semantics import SnapeqError, StreamError


@dataclass(frozen=True)
class Add:
    number: int

    def run(self, held: int) -> int:
        return held + self.number


@dataclass(frozen=True)
class Fail:
    how: str

    def run(self, held: int) -> object:  # noqa: ARG002  # a request gets what the process holds
        match self.how:
            case "stream":
                raise StreamError("out of order")
            case "file":
                raise FileError("bids.csv", "it is wrong", "a right one")
            case "foreign":
                raise ZeroDivisionError("by zero")
            case _:
                os._exit(3)


def held() -> int:
    if os.environ.get("HELD") == "nothing":
        raise ValueError("there is nothing to hold")
    return int(os.environ["HELD"])


if __name__ == "__main__":
    serve(held, lambda error: SnapeqError(f"it failed: {error}"))
