"""The builder of expressions over lists, as `Query` is that of plans."""

from dataclasses import dataclass

from equivalence.lists.list_expression import (
    END,
    START,
    AppendLists,
    CoalesceList,
    FilterList,
    GivenList,
    Listing,
    MapList,
    PairLists,
    RdupList,
    RdupTList,
    SortList,
    SplitList,
)
from semantics import FOREVER, ColumnExpression, Query, Schema, SchemaError, Scope
from semantics.builder.query import resolved_all
from semantics.plan import Map, Source
from semantics.time import End


def listed(query: Query) -> "ListQuery":
    """The source of a query as a list: so predicates and functions over the query are over the list too."""
    if not isinstance(query.plan, Source):
        raise SchemaError(f"listed: only a source can be given as a list, got {query.plan.operator}")
    return ListQuery(GivenList(query.plan.name, query.plan.schema))


@dataclass(frozen=True)
class ListQuery:
    """An expression over lists with methods that put one more operator on top of it.

    >>> from equivalence.lists.list_expression import show_listing
    >>> from semantics import source
    >>> show_listing(listed(source("A", x=int)).sort("x", "_start").rdup().listing)
    'A | sort(x, _start) | rdup'
    """

    listing: Listing

    @property
    def schema(self) -> Schema:
        return self.listing.schema

    def filter(self, condition: ColumnExpression) -> "ListQuery":
        """σ: the elements for whose rows the condition is TRUE."""
        return ListQuery(FilterList(self.listing, resolved_all("Keep", (condition,), Scope(self.schema))))

    def select(self, /, *kept: str, **computed: ColumnExpression) -> "ListQuery":
        """μ: the columns kept as they are, then the computed ones."""
        made = Query(Source("list", self.schema)).select(*kept, **computed).plan
        assert isinstance(made, Map)
        return ListQuery(MapList(self.listing, made.expressions, made.schema))

    def append(self, other: "ListQuery") -> "ListQuery":
        """⧺: this list, then the other."""
        if self.schema.types != other.schema.types:
            raise SchemaError(f"Append: both lists must have the same types, got {self.schema} and {other.schema}")
        return ListQuery(AppendLists(self.listing, other.listing))

    def product(self, other: "ListQuery") -> "ListQuery":
        """×: every pair of elements, while both are valid."""
        return ListQuery(PairLists(self.listing, other.listing))

    def sort(self, *by: str) -> "ListQuery":
        """sort: by columns, `_start` and `_end`; elements alike in these keep their order."""
        for name in by:
            if name not in (START, END):
                self.schema.index(name, "SortList")
        return ListQuery(SortList(self.listing, by))

    def rdup(self) -> "ListQuery":
        """Every element once."""
        return ListQuery(RdupList(self.listing))

    def rdup_t(self) -> "ListQuery":
        """Every row once at every instant."""
        return ListQuery(RdupTList(self.listing))

    def coalesce(self, longest: End = FOREVER) -> "ListQuery":
        """Adjacent elements with the same row in one, if that is not too long."""
        return ListQuery(CoalesceList(self.listing, longest))

    def split(self, longest: int) -> "ListQuery":
        """Every element in pieces that are not too long."""
        return ListQuery(SplitList(self.listing, longest))
