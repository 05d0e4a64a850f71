"""One engine on one plan and one case: its snapshots, or the fault that it commits.

An engine in this process may raise, hang, change its inputs or return nonsense: each becomes a `Fault`. Only a crash of
the process itself cannot be survived here; see `equivalence.conformance.subject.isolated`.
"""

import inspect
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from typing import Any, Final, Protocol, Self, TypeVar

from equivalence.cases.delivery import WHOLE, Delivery
from equivalence.conformance.subject.history import History, found_history, is_dense
from equivalence.conformance.subject.inputs import Inputs, check_unchanged, columns, copied
from equivalence.conformance.subject.results import Element, before, elements, snapshots
from equivalence.conformance.subject.run_by_schedule import run_by_schedule
from equivalence.conformance.subject.state_allowance import Allowance
from equivalence.conformance.subject.time_limit import Failed, Guard, TimeUp
from equivalence.conformance.subject.tolerance import checked_tolerance, close
from equivalence.verdicts.fault_kind import Fault, FaultKind
from physical.adapters.environments import EngineUnavailable
from physical.kernels.jit import loading
from semantics import Multiset, Plan, SnapeqError, Stream, TooManyChanges, Type, Unsupported
from semantics.aggregate import is_basic, name_of
from semantics.evaluate import Snapshots
from semantics.functions.calls import first_built_in
from semantics.lookahead import known_until, last_change
from semantics.newer_types import newer_type
from semantics.plan import aggregates_in
from semantics.types import BASIC_TYPES

T = TypeVar("T")
TIME_LIMIT: Final = 60.0
"""Seconds for one case: a kernel may have to be compiled first."""
CASES_PER_RUN: Final = 20
"""Of an engine that does not say how many."""


class AnyEngine(Protocol):
    """The least that an engine under test has: fewer promises than `physical.engine.Engine`, as results are checked."""

    @property
    def name(self) -> str: ...

    @property
    def supports(self) -> Callable[[Plan], bool]: ...

    @property
    def run(self) -> Callable[..., object]:
        """Takes a plan and streams by name, and perhaps a horizon."""


class NotAnEngine(SnapeqError):
    """The object lacks something that every engine has."""


class Subject(ABC):
    """An engine under test: what it gives, as snapshots, or the Fault that it committed."""

    name: str
    tolerance: float | None
    """The relative error that its floats may have."""
    sessions: bool
    """Can it run for long, in a session?"""
    limited: bool
    """Does its `run` take a horizon?"""
    hangs: int = 0
    """How many runs were stopped because they took too long."""
    differences: tuple[str, ...] = ()
    """What its documentation admits to be different: see `equivalence.conformance.declared_differences`."""
    latest: int | None = None
    """The latest horizon that it takes, if there is one: it may look at every instant."""
    lifts: bool = False
    """Does starting a run cost so much that many cases are run as one, and little else is done?"""
    cases_per_run: int = 1
    """How many cases of a plan are run as one."""
    knows_functions: bool = False
    """May expressions call built-in functions?"""
    knows_types: bool = False
    """May there be types beside INT, FLOAT, BOOL and STR, and casts?"""
    types: frozenset[Type] = frozenset(BASIC_TYPES)
    """The types of the columns that it takes."""

    def lists(self, operator: str) -> bool | None:  # noqa: ARG002  # others may
        """Does it say, before it is asked anything, that it knows this operator? None if it lists nothing."""
        return None

    def fits(self, plan: Plan) -> bool:
        """Does it say that it can run the plan? If it fails to answer, this shows when it is run."""
        try:
            self.check_support(plan)
        except Unsupported:
            return False
        except Fault:
            return True
        return True

    def variety(self, plan: Plan) -> int | None:  # noqa: ARG002  # others may count
        """How many different things it lists a plan is about; None if it lists nothing."""
        return None

    @abstractmethod
    def elements(
        self, plan: Plan, case: Mapping[str, Stream], horizon: int, delivery: Delivery = WHOLE
    ) -> list[Element]:
        """The elements of the result, up to the horizon; raises Unsupported if the engine says so."""

    def run(self, plan: Plan, case: Mapping[str, Stream], horizon: int, delivery: Delivery = WHOLE) -> Snapshots:
        """The snapshots of the result, one for each instant before the horizon."""
        return snapshots(self.elements(plan, case, horizon, delivery), horizon)

    def history(self, plan: Plan, case: Mapping[str, Stream], horizon: int, delivery: Delivery = WHOLE) -> History:
        """The result over time, before a horizon of any size."""
        return found_history(self.elements(plan, case, horizon, delivery), plan.schema, horizon)

    def started(
        self, plan: Plan, case: Mapping[str, Stream], horizon: int, delivery: Delivery = WHOLE
    ) -> Callable[[], History]:
        """The same, to be asked for a little later: an engine with a process of its own works on it in between."""
        return lambda: self.history(plan, case, horizon, delivery)

    def check_horizon(self, horizon: int) -> None:
        """Raises TooManyChanges if the horizon is too late for an engine that looks at every instant."""
        if self.latest is not None and horizon > self.latest:
            raise TooManyChanges(f"engine {self.name} takes no horizon after {self.latest}")

    @abstractmethod
    def check_support(self, plan: Plan) -> None:
        """Raises Unsupported if the engine says that it cannot run the plan."""

    @abstractmethod
    def close(self) -> None:
        """Give back what the engine needed."""

    def differs(self, expected: Multiset, found: Multiset) -> bool:
        return not close(expected, found, self.tolerance) if self.tolerance else expected != found

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class InProcess(Subject):
    """An engine that runs in this process, watched by a guard."""

    def __init__(
        self,
        engine: AnyEngine,
        *,
        tolerance: float | None = None,
        time_limit: float = TIME_LIMIT,
        guard: Guard | None = None,
    ) -> None:
        for attribute in ("name", "supports", "run"):
            if not hasattr(engine, attribute):
                raise NotAnEngine(f"conform: an engine has name, supports and run; {engine!r} has no {attribute}")
        loading.numba()  # here, so that an engine's time limit does not pay for it
        self.engine: Any = engine
        self.name = str(engine.name)
        self.tolerance = checked_tolerance(getattr(engine, "tolerance", None) if tolerance is None else tolerance)
        self.guard = guard or Guard(max(time_limit, float(getattr(engine, "time_limit", 0.0))))
        self.lifts = bool(getattr(engine, "lifts", False))
        self.cases_per_run = int(getattr(engine, "cases_per_run", CASES_PER_RUN if self.lifts else 1))
        self.differences = tuple(getattr(engine, "differences", ()))
        self.latest = getattr(engine, "latest", None)
        self.retracts = bool(getattr(engine, "retracts", False))
        self.knows_functions = bool(getattr(engine, "knows_functions", False))
        self.knows_types = bool(getattr(engine, "knows_types", False))
        self.sessions = callable(getattr(engine, "session", None))
        self.limited = takes_horizon(engine)

    def close(self) -> None:
        self.guard.close()

    def elements(
        self, plan: Plan, case: Mapping[str, Stream], horizon: int, delivery: Delivery = WHOLE
    ) -> list[Element]:
        self.check_support(plan)
        self.check_horizon(known_until(plan, horizon, lambda name: last_change(case[name])))
        if delivery.schedule is not None:
            # What may be held is counted snapshot by snapshot, and of one query: neither late instants nor other
            # queries that stay allow that.
            alone = all(end is not None for _, end in delivery.others)
            countable = alone and is_dense(horizon) and not delivery.unfinished
            allowance = Allowance(plan, case, horizon, self.retracts) if countable else None
            return self.guarded(lambda: self._run_by_schedule(plan, delivery, horizon, allowance))
        inputs = {name: columns(stream) if delivery.columns else stream for name, stream in case.items()}
        given = copied(inputs)
        found = self.guarded(lambda: self._whole(plan, given, horizon))
        check_unchanged(inputs, given)
        return found

    def _whole(self, plan: Plan, inputs: Inputs, horizon: int) -> list[Element]:
        options = {"horizon": horizon} if self.limited else {}
        return before(elements(self.engine.run(plan, inputs, **options), plan.schema), horizon)

    def _run_by_schedule(
        self, plan: Plan, delivery: Delivery, horizon: int, allowance: Allowance | None
    ) -> list[Element]:
        result = run_by_schedule(self.engine, plan, delivery, horizon, allowance)
        return before(elements(result, plan.schema), horizon)

    def check_support(self, plan: Plan) -> None:
        # Asked before the run, and not inside it: an engine that promises support and then raises Unsupported is wrong.
        if not self.guarded(lambda: bool(self.engine.supports(plan))):
            raise Unsupported(f"engine {self.name} does not support {plan.operator}")
        if not getattr(self.engine, "knows_now", False) and any(node.mentions_now for node in plan.walk()):
            raise Unsupported(f"engine {self.name} does not say knows_now = True, and {plan.operator} asks for now")
        newer = None if self.knows_types else newer_type(plan)
        if newer is not None:
            raise Unsupported(f"engine {self.name} does not say knows_types = True, and {plan.operator} has {newer}")
        if not self.knows_functions and (name := first_built_in(plan)):
            raise Unsupported(f"engine {self.name} does not say knows_functions = True, and the plan calls {name}")
        further = next((name_of(a) for a in aggregates_in(plan) if not is_basic(a)), None)
        if further is not None and not getattr(self.engine, "knows_all_aggregates", False):
            raise Unsupported(f"engine {self.name} does not say knows_all_aggregates = True, and there is {further}")

    def guarded(self, work: Callable[[], T]) -> T:
        """The result of work, or the Fault that it committed: it raised, or took too long."""
        try:
            return self.guard.call(work)
        except TimeUp as slow:
            self.hangs += 1
            raise Fault(FaultKind.HANGS, str(slow)) from slow
        except Failed as failed:
            if isinstance(failed.__cause__, Fault | EngineUnavailable):  # one that does not start is no wrong one
                raise failed.__cause__ from None
            raise Fault(FaultKind.RAISES, str(failed)) from failed


def takes_horizon(engine: AnyEngine) -> bool:
    """Can its `run` be told from which instant on the result does not matter?"""
    return "horizon" in _parameters(engine.run)


def _parameters(function: Any) -> Mapping[str, object]:
    try:
        return inspect.signature(function).parameters
    except (TypeError, ValueError):
        return {}
