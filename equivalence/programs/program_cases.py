"""Cases for a program: what its query declares and speaks of, in streams that the program can be given."""

from collections.abc import Collection

from equivalence.cases.choices import Choices
from equivalence.cases.crowded_cases import choose_crowded_case
from equivalence.cases.directed.clues import Clues, clues_of
from equivalence.cases.directed.draw import choose_directed_case
from equivalence.cases.random_cases import Case, choose_case
from equivalence.programs.placed_cases import at_one_instant
from equivalence.query_files.assumptions import assumptions
from equivalence.query_files.query_over_files import QueryOverFiles
from equivalence.query_files.stream_files import raw_sources
from semantics import Plan
from semantics.constraint import Constraint, Lasting, broken
from semantics.sql.units import TimeUnit


class ProgramCases:
    """Draws cases that keep the promises of the CREATE statements; elements of raw streams are at one instant."""

    def __init__(self, query: QueryOverFiles, awkward: bool = False, awkward_directed: bool = False) -> None:
        self.plan = query.plan
        self._awkward, self._awkward_directed = awkward, awkward or awkward_directed
        self.clues: Clues = clues_of(query.plan)
        self.constraints: Collection[Constraint] = assumptions(query)
        self.day = TimeUnit.DAY.value // (TimeUnit.SECOND if query.catalogue is None else query.catalogue.unit).value
        """So many instants are a day."""
        self.tables = frozenset(c.source for c in self.constraints if isinstance(c, Lasting))
        self._raw = raw_sources(query)

    def free(self, choices: Choices) -> Case:
        """Small numbers and few instants, so that much meets."""
        return self.given(choose_case(choices, self.plan.sources(), self.constraints, awkward=self._awkward))

    def directed(self, choices: Choices, *neighbours: Plan) -> Case:
        """Values and times around the constants of the query, and of plans that are to be told from it."""
        clues = clues_of(self.plan, *neighbours) if neighbours else self.clues
        sources, awkward = self.plan.sources(), self._awkward_directed
        return self.given(choose_directed_case(choices, sources, self.constraints, clues, awkward=awkward, varied=True))

    def is_promised(self, case: Case) -> bool:
        """Does a case keep what the CREATE statements promise?"""
        return all(broken(constraint, case) is None for constraint in self.constraints)

    def crowded(self, choices: Choices) -> Case:
        """Few values that meet: keys and conditions of joins show there."""
        return self.given(choose_crowded_case(choices, self.plan.sources(), self.constraints))

    def given(self, case: Case) -> Case:
        """The case with raw streams where the program gets such."""
        return {name: at_one_instant(stream) if name in self._raw else stream for name, stream in case.items()}
