"""`snapeq verify`: everything that snapeq claims of itself is checked, and how well its checkers bite is measured.

A module for a part of the verification has the name of that part, even where the thing that is verified has a room or a
module of the same name: `verification/stores.py` verifies what the room `stores` holds.
"""

from equivalence.verification.claim_outcome import Outcome
from equivalence.verification.effort import FULL, QUICK, USUAL, Effort
from equivalence.verification.jobs import PARTS, VerificationJob, jobs, run_jobs

__all__ = ["FULL", "PARTS", "QUICK", "USUAL", "Effort", "Outcome", "VerificationJob", "jobs", "run_jobs"]
