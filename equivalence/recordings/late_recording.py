"""A recording of an engine that may drop late rows: what it is compared with, and how far."""

from dataclasses import replace

from equivalence.query_files.query_run import QueryRun
from equivalence.recordings.claims import Claims
from equivalence.recordings.late_plan import last_watermark, late_run
from equivalence.recordings.late_policy import Lateness
from equivalence.recordings.recording import LastInstants
from physical.kernels.types import ENDLESS
from semantics import SnapeqError


def with_lateness(run: QueryRun, claims: Claims, lateness: Lateness) -> tuple[QueryRun, Claims, list[str]]:
    """The run over rows in the order of arrival, the claims as far as they are judged, and remarks on constraints."""
    judged = claims.judged
    if not isinstance(judged, LastInstants):
        late, remarks = late_run(run, lateness)
        return late, claims, remarks
    late, remarks = late_run(run, lateness, judged.step, judged.offset)
    if lateness.input_closes_all:
        return late, claims, remarks
    until = min(last_watermark(run, lateness), claims.horizon)
    if until < judged.step:
        raise SnapeqError("the watermark closes no pane, so there is nothing to judge; expected more input")
    seen = replace(claims, judged=replace(judged, horizon=until), horizon=until)
    return replace(late, horizon=None if until == ENDLESS else until), seen, remarks
