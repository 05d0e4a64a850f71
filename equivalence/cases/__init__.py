"""Generated cases: what a check is tried on, from a seed; the search for one that fails, and how it is made small."""
