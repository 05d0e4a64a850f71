"""Generated cases: `--by sample`."""
