"""`python -m benchmarks [NAME…] [--size N]… [--repeat K] [--json] [--show]`."""

from benchmarks.harness.main import app

app()
