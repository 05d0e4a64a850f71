"""The answers of all checks: verdicts, counterexamples, findings."""
