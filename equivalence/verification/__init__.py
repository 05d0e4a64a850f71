"""The main job: verify what snapeq itself claims, and measure how well its checkers bite."""

from equivalence.verification.effort import FULL, QUICK, Effort
from equivalence.verification.jobs import PARTS, Job, jobs, outcomes
from equivalence.verification.outcome import Outcome

__all__ = ["FULL", "PARTS", "QUICK", "Effort", "Job", "Outcome", "jobs", "outcomes"]
