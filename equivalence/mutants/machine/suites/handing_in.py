"""How steps of a schedule come to a session: in columns or as rows; and what a session can be saved with."""

import pickle
from collections.abc import Mapping, Sequence

from equivalence.cases.schedules import Push, Step
from equivalence.conformance.subject.run_by_schedule import drive
from physical.runtime.graph_session import GraphSession
from semantics import IntervalStream, Plan, RawStream, Schema
from semantics.stream import IntervalElement


def hand_in(session: GraphSession, step: Step, schemas: Mapping[str, Schema], *, as_rows: bool) -> None:
    """Do a step; elements that are in order may come as rows, those of one instant each as a raw stream."""
    if as_rows and isinstance(step, Push) and _in_order(step.elements):
        session.push(step.source, _as_rows(schemas[step.source], step.elements))
    else:
        drive(session, [step], schemas)


def _in_order(elements: Sequence[IntervalElement]) -> bool:
    starts = [valid.start for _, valid in elements]
    return starts == sorted(starts)


def _as_rows(schema: Schema, elements: Sequence[IntervalElement]) -> RawStream | IntervalStream:
    if all(valid.end == valid.start + 1 for _, valid in elements):
        return RawStream(schema, [(row, valid.start) for row, valid in elements])
    return IntervalStream(schema, list(elements))


def can_be_saved(plans: Sequence[Plan]) -> bool:
    """Can the plans be pickled? Functions that somebody has written in place cannot."""
    try:
        pickle.dumps(plans)
    except (pickle.PicklingError, AttributeError, TypeError):
        return False
    return True
