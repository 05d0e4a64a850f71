"""`python -m benchmarks [NAME…] [--size N]… [--repeat K] [--json] [--show]`."""

from benchmarks.main import app

app()
