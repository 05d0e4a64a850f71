"""`python -m examples.linear_road`: ten minutes of traffic through the queries, and how much each of them gave out."""

from equivalence.command.workloads.linear_road import Traffic
from examples.linear_road.network import Network
from examples.linear_road.queries import TABLES, boxes, drive

if __name__ == "__main__":
    traffic = Traffic(cars=200, minutes=10, segments=8, few=6, accidents=4, seed=1)
    network = Network(boxes(), tables=dict.fromkeys(TABLES))
    drive(network, traffic.streams, traffic.minutes)
    for name in network.boxes:
        print(f"{name:16}{len(network.result(name)):8,} results")
    network.close()
