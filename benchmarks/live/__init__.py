"""Sessions while data arrives: latency and throughput against the size of the batches that are pushed."""
