"""The actuator: receives results and notes when, `python -m benchmarks.dataflow.actuator HOST PORT` or with `--listen`.

It prints the number of tuples, the average latency D(t) − C(t), and the time from the first creation to the last
delivery, in seconds.
"""

import json
import socket
import sys
from time import time_ns

BYTES_PER_READ = 1 << 16


def receive(connection: socket.socket) -> dict[str, float]:
    """What came, until the other side closes."""
    blocks: list[tuple[int, bytes]] = []
    while block := connection.recv(BYTES_PER_READ):
        blocks.append((time_ns(), block))
    return summary(blocks)


def summary(blocks: list[tuple[int, bytes]]) -> dict[str, float]:
    """Every line was delivered with the block that its end is in."""
    count, waited, first, last, rest = 0, 0, 0, 0, b""
    for at, block in blocks:
        *lines, rest = (rest + block).split(b"\n")
        created = [int(line.partition(b",")[0].strip(b'"')) for line in lines if line[:1].isdigit()]
        count, waited, last = count + len(created), waited + sum(at - c for c in created), at
        first = first or (created[0] if created else 0)
    return {"tuples": count, "latency": waited / max(count, 1) / 1e9, "elapsed": (last - first) / 1e9}


def main(arguments: list[str]) -> None:
    if arguments == ["--listen"]:
        with socket.create_server(("127.0.0.1", 0)) as listener:
            print(listener.getsockname()[1], flush=True)
            connection, _ = listener.accept()
            with connection:
                print(json.dumps(receive(connection)), flush=True)
    else:
        with socket.create_connection((arguments[0], int(arguments[1]))) as connection:
            print(json.dumps(receive(connection)), flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
