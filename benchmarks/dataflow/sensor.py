"""The sensor: creates tuples and sends them, `python -m benchmarks.dataflow.sensor HOST PORT COUNT`."""

import socket
import sys
from random import Random
from time import time_ns

HEADER = b"created,a,ts\n"
TUPLES_PER_SEND = 100
"""The tuples that are created before they are sent together."""


def send(address: tuple[str, int], count: int) -> None:
    random = Random(0)
    with socket.create_connection(address) as connection:
        connection.sendall(HEADER)
        for first in range(0, count, TUPLES_PER_SEND):
            ids = range(first, min(first + TUPLES_PER_SEND, count))
            connection.sendall("".join(f"{time_ns()},{random.randrange(10_000)},{i}\n" for i in ids).encode())


if __name__ == "__main__":
    send((sys.argv[1], int(sys.argv[2])), int(sys.argv[3]))
