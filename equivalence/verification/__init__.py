"""The main job: verify what snapeq itself claims, and measure how well its checkers bite."""

from equivalence.verification.effort import FULL, QUICK, Effort
from equivalence.verification.jobs import PARTS, VerificationJob, jobs, run_jobs
from equivalence.verification.outcome import Outcome

__all__ = ["FULL", "PARTS", "QUICK", "Effort", "Outcome", "VerificationJob", "jobs", "run_jobs"]
