"""The trials by which machine-made mutants are judged."""
