"""All small cases: `--by exhaust`."""
