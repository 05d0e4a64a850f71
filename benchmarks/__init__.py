"""Speed against peers, as ratios: `python -m benchmarks`, or `snapeq bench`."""
