"""Fuzzing: whatever bytes a parser is given, it reads them or raises one of our errors. `make fuzz` runs it."""
