"""Deviations of session windows: what belongs to one session, and whose sessions they are."""

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from equivalence.deviations.catalogue.plan_change import on, plan_deviation, some, without_null
from equivalence.deviations.deviation import Deviation
from semantics import Plan
from semantics.plan import SessionWindow


def _session(
    name: str,
    sentence: str,
    knob: str,
    change: Callable[[SessionWindow], Plan],
    where: Callable[[SessionWindow], bool],
    *synonyms: str,
) -> Deviation:
    return plan_deviation(
        name, sentence, knob, (SessionWindow,), on(SessionWindow)(change), values=some(SessionWindow, where),
        position="at the window", locality="whole", synonyms=synonyms,
    )  # fmt: skip


def _gap(by: int) -> Callable[[SessionWindow], Plan]:
    return lambda node: replace(node, gap=max(node.gap + by, 1))


SESSIONS: Final[tuple[Deviation, ...]] = (
    _session("touching sessions merged", "rows exactly a gap apart are of one session", "session gap", lambda node: replace(node, touching=True), lambda n: not n.touching, "gap inclusive", "<= for <"),
    _session("touching sessions split", "rows exactly a gap apart are of two sessions", "session gap", lambda node: replace(node, touching=False), lambda n: n.touching, "gap exclusive", "< for <="),
    _session("session gap too long", "a session waits one instant longer than the gap", "session gap", _gap(1), lambda n: True, "gap off by one"),
    _session("session gap too short", "a session waits one instant less than the gap", "session gap", _gap(-1), lambda n: n.gap > 1, "gap off by one"),
    _session("sessions of all keys", "rows of all keys share their sessions", "session keys", lambda node: replace(node, keys=()), lambda n: bool(n.keys), "PARTITION BY ignored"),
    _session("NULL sessions lost", "rows with NULL in the key are in no session", "NULL groups", lambda node: replace(node, input=without_null(node.input, node.keys)), lambda n: bool(n.keys), "NULL groups dropped"),
)  # fmt: skip
