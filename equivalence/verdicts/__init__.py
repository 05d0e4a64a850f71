"""What every check says: verdicts, counterexamples, findings."""
