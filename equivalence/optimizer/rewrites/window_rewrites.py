"""Windows over time move up or down, so that less is stored or more is shared."""

from collections.abc import Iterator
from typing import Final

from equivalence.optimizer.rewrites.plan_rewrite import Constraints, RuleRewrite
from equivalence.rules.catalogue import landmarks, windows
from semantics import FOREVER, Plan
from semantics.plan import LandmarkWindow, Map, TimeWindow, Union


def map_below(node: Plan, _: Constraints) -> Iterator[Plan]:
    """μ_f(ω(A)) → ω(μ_f(A)); below, f would see another now"""
    match node:
        case Map(input=TimeWindow() | LandmarkWindow() as window, expressions=expressions, names=names) if (
            node.reducible
        ):
            yield window.with_inputs(Map(window.input, expressions, names))


def below_union(node: Plan, _: Constraints) -> Iterator[Plan]:
    """ω(A ∪ B) → ω(A) ∪ ω(B)"""
    match node:
        case TimeWindow(input=Union(left=a, right=b)) | LandmarkWindow(input=Union(left=a, right=b)):
            yield Union(node.with_inputs(a), node.with_inputs(b))


def above_union(node: Plan, _: Constraints) -> Iterator[Plan]:
    """ω(A) ∪ ω(B) → ω(A ∪ B) if both windows are the same"""
    match node:
        case Union(left=TimeWindow() as left, right=TimeWindow() as right):
            if (left.size, left.slide) == (right.size, right.slide):
                yield left.with_inputs(Union(left.input, right.input))


def now_gone(node: Plan, _: Constraints) -> Iterator[Plan]:
    """ω_1(A) → A"""
    match node:
        case TimeWindow(input=a, size=1, slide=1):
            yield a


def since_ever(node: Plan, _: Constraints) -> Iterator[Plan]:
    """ω_[0,∞)(A) → ω_∞(A)"""
    match node:
        case LandmarkWindow(input=a, start=0, reset=None):
            yield TimeWindow(a, FOREVER)


WINDOWS: Final = (
    RuleRewrite(windows.map_through_window, map_below),
    RuleRewrite(windows.union_through_window, below_union, same_rows=True),
    RuleRewrite(windows.union_through_window, above_union, same_rows=True),
    RuleRewrite(windows.now_window, now_gone, same_rows=True),
    RuleRewrite(landmarks.unbounded_window_is_a_landmark, since_ever, same_rows=True),
)
