"""What all nodes of a plan share, and its leaves: nodes of no input, one, or two."""

from collections.abc import Iterator
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

from semantics.dataclass_on_use import dataclass
from semantics.errors import SchemaError
from semantics.expression import Expression, mentions_now
from semantics.schema import Schema
from semantics.scope import Scope

if TYPE_CHECKING:
    from semantics.plan.union import Plan


class Node:
    """What all nodes share. Equality is structural: same operator, same parameters, same inputs."""

    computable: ClassVar[bool] = True
    """Snapshot-computable: the output at an instant depends on the inputs at that instant, perhaps on which one that
    is, and on nothing of the past."""

    @property
    def inputs(self) -> tuple["Plan", ...]:
        return ()

    @property
    def own_expressions(self) -> tuple[Expression, ...]:
        """The expressions of the node itself: its predicate, its columns, or the arguments of its aggregates."""
        return ()

    @cached_property
    def mentions_now(self) -> bool:
        """Does an expression of the node itself ask for the instant?"""
        return any(map(mentions_now, self.own_expressions))

    @property
    def reducible(self) -> bool:
        """Snapshot-reducible (Definition 6.2): what it makes of snapshots is the same at every instant."""
        return self.computable and not self.mentions_now

    @property
    def looks_ahead(self) -> bool:
        """Does the output at an instant depend on what comes later?"""
        return False

    @cached_property
    def has_lookahead(self) -> bool:
        """Does this or any operator below look ahead?"""
        return self.looks_ahead or any([child.has_lookahead for child in self.inputs])

    @property
    def plan(self) -> "Plan":
        """The node itself: so a builder's query and a node can be handed over alike."""
        return self  # type: ignore[return-value]  # every Node is a member of the union Plan

    @property
    def operator(self) -> str:
        return type(self).__name__

    def walk(self, *, inputs_first: bool = False) -> Iterator["Plan"]:
        """All nodes from the root down, or each after its inputs; a shared one as often as it is used.

        >>> from semantics.plan import Distinct, Union
        >>> plan = Distinct(Union(Source("A", Schema.of(x=int)), Source("B", Schema.of(x=int))))
        >>> [node.operator for node in plan.walk()]
        ['Distinct', 'Union', 'Source', 'Source']
        >>> [node.operator for node in plan.walk(inputs_first=True)]
        ['Source', 'Source', 'Union', 'Distinct']
        """
        if not inputs_first:
            yield self.plan
        for child in self.inputs:
            yield from child.walk(inputs_first=inputs_first)
        if inputs_first:
            yield self.plan

    def sources(self) -> dict[str, Schema]:
        """The sources that the plan reads, by name, from left to right."""
        return {node.name: node.schema for node in self.walk() if isinstance(node, Source)}

    def with_inputs(self, *inputs: "Plan") -> "Plan":
        """The same operator over other inputs."""
        if self.inputs == inputs:
            return self.plan
        names = ("left", "right") if isinstance(self, Binary) else ("input",)
        changes: dict[str, Any] = dict(zip(names, inputs, strict=True))
        return replace(self.plan, **changes)

    def replaced(self, node: "Plan", by: "Plan") -> "Plan":
        """The plan with one node replaced wherever it occurs.

        >>> from semantics.plan import Distinct, Union
        >>> a, b = Source("A", Schema.of(x=int)), Source("B", Schema.of(x=int))
        >>> Union(a, Distinct(a)).replaced(a, b) == Union(b, Distinct(b))
        True
        """
        return by if self == node else self.with_inputs(*(child.replaced(node, by) for child in self.inputs))

    def __getstate__(self) -> dict[str, object]:
        """What is pickled: all but the hash, which other processes compute otherwise."""
        return {name: value for name, value in self.__dict__.items() if name != "_hash"}


@dataclass(frozen=True)
class Source(Node):
    """A stream that is given from outside, by name."""

    name: str
    schema: Schema

    def __post_init__(self) -> None:
        if not isinstance(self.name, str) or not self.name:
            raise SchemaError(f"Source: name must be a non-empty text, got {self.name!r}")


@dataclass(frozen=True)
class Unary(Node):
    input: "Plan"

    @property
    def inputs(self) -> tuple["Plan", ...]:
        return (self.input,)

    @property
    def schema(self) -> Schema:
        return self.input.schema

    @property
    def scope(self) -> Scope:
        """The columns that this node's expressions may use."""
        return Scope(self.input.schema)


@dataclass(frozen=True)
class Binary(Node):
    left: "Plan"
    right: "Plan"

    @property
    def inputs(self) -> tuple["Plan", ...]:
        return (self.left, self.right)

    @property
    def scope(self) -> Scope:
        return Scope(self.left.schema, self.right.schema)
