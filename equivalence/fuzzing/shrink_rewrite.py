"""A wrong rewrite made small: the rule alone rather than behind others, the smallest query, the smallest database."""

from dataclasses import dataclass

from sqlglot import exp, parse_one

from equivalence.cases.random_cases import Case
from equivalence.cases.reduce_case import reduced
from equivalence.fuzzing.foreign_call import TIMEOUT
from equivalence.fuzzing.fuzz_finding import FuzzFinding, script
from equivalence.fuzzing.judge import Judge, Outcome, Wrong
from equivalence.fuzzing.reduce_sql import reduce_sql
from equivalence.fuzzing.relational_reading import Unreadable
from equivalence.fuzzing.small_databases import Difference, tables_of
from equivalence.fuzzing.sql_rewrite import Rewrite, SqlOptimizer, Way


@dataclass(frozen=True)
class WrongRewrite:
    """A query, the way in which a rule was applied to it, and how the result is wrong."""

    sql: str
    rewrite: Rewrite
    wrong: Wrong


class RewriteShrinker:
    """Looks for smaller queries that one optimizer gets wrong in the same way."""

    def __init__(self, optimizer: SqlOptimizer, judge: Judge) -> None:
        self._optimizer = optimizer
        self._judge = judge

    def finding(self, found: WrongRewrite, number: int) -> FuzzFinding:
        """What is reported of it; to see again and again that there is no answer would take too long."""
        if (found.rewrite.error or "").startswith(TIMEOUT):
            return self._reported(found, number)
        small = self._on_less_data(self._smaller_query(self._alone(found)))
        return self._reported(small, number)

    def _alone(self, found: WrongRewrite) -> WrongRewrite:
        """The rule by itself on what those before it had made, if that is wrong, too."""
        way = Way(found.rewrite.way.rule)
        if not found.rewrite.way.in_order:
            return found
        again = self._again(found.rewrite.before, way, found.wrong)
        return found if again is None else WrongRewrite(found.rewrite.before, again, found.wrong)

    def _smaller_query(self, found: WrongRewrite) -> WrongRewrite:
        way = found.rewrite.way
        shows = self._shows(found)
        sql = reduce_sql(found.sql, lambda text: self._again(text, way, found.wrong, shows) is not None)
        rewrite = self._again(sql, way, found.wrong)
        return found if rewrite is None else self._judged_again(sql, rewrite, found)

    def _judged_again(self, sql: str, rewrite: Rewrite, found: WrongRewrite) -> WrongRewrite:
        judged = self._judge.judge(rewrite)
        if judged.outcome is not Outcome.REFUTED and found.wrong.oracle == "reference":
            difference = self._judge.differs(rewrite, found.wrong.case)
            assert difference is not None
            judged = self._judge.confirmed(rewrite, difference)
        return found if judged.wrong is None else WrongRewrite(sql, rewrite, judged.wrong)

    def _shows(self, found: WrongRewrite) -> bool:
        """Does SQLite see the fault? Then a smaller query in which it sees none need not be shown to anybody else."""
        has_rows = found.rewrite.after is not None and not isinstance(found.wrong.got, str)
        return has_rows and not self._judge.is_same_on_sqlite(found.rewrite, found.wrong.case)

    def _again(self, sql: str, way: Way, wrong: Wrong, shows: bool = False) -> Rewrite | None:
        """The rewrite of another query in the same way, if it is wrong for the same reason."""
        try:
            rewrites = [one for one in self._optimizer.rewrites(sql, self._judge.schema, (way,)) if one.fired]
            if shows:
                rewrites = [one for one in rewrites if not self._is_screened(one, wrong.case)]
            if rewrites and wrong.oracle == "reference":
                self._judge.plan(sql)
            return next((one for one in rewrites if self._is_alike(one, wrong)), None)
        except Unreadable:
            return None

    def _is_screened(self, rewrite: Rewrite, case: Case) -> bool:
        return rewrite.after is None or self._judge.is_same_on_sqlite(rewrite, case)

    def _is_alike(self, rewrite: Rewrite, wrong: Wrong) -> bool:
        if rewrite.after is None:
            return isinstance(wrong.got, str) and (rewrite.error or "").split(":")[0] == wrong.got.split(":")[0]
        if wrong.oracle == "reference":
            return self._judge.differs(rewrite, wrong.case) is not None
        judged = self._judge.judge(rewrite)
        other = judged.wrong
        oracles = (wrong.oracle, "reference")  # what it can read in a smaller query, it is asked about
        return other is not None and other.oracle in oracles and type(other.got) is type(wrong.got)

    def _on_less_data(self, found: WrongRewrite) -> WrongRewrite:
        """The same rewrite on as few rows as possible; what fails whatever the rows are needs none."""
        if found.wrong.oracle == "execution" and not isinstance(found.wrong.got, str):
            return self._on_less_data_by_execution(found)
        if found.wrong.oracle != "reference":
            return found

        def difference(case: Case) -> Difference | None:
            return self._judge.on(found.rewrite, case)

        start = difference(found.wrong.case)
        if start is None:
            return found
        small = reduced(difference, found.wrong.case, start, self._judge.schema.constraints)
        confirmed = self._judge.confirmed(found.rewrite, small).wrong
        return found if confirmed is None else WrongRewrite(found.sql, found.rewrite, confirmed)

    def _on_less_data_by_execution(self, found: WrongRewrite) -> WrongRewrite:
        def wrong(case: Case) -> Wrong | None:
            judged = self._judge.executed_on(found.rewrite, case, found.wrong.confirmed_by)
            return None if judged is None else judged.wrong

        small = reduced(wrong, found.wrong.case, found.wrong, self._judge.schema.constraints)
        return WrongRewrite(found.sql, found.rewrite, small)

    def _reported(self, found: WrongRewrite, number: int) -> FuzzFinding:
        used = {table.name for table in parse_one(found.sql).find_all(exp.Table)}
        schema = self._judge.schema.only(used)
        tables = {name: rows for name, rows in tables_of(found.wrong.case).items() if name in used}
        made = self._optimizer.reproduction(found.rewrite.way, found.sql, schema)
        system = found.wrong.confirmed_by[0].split()[0]
        return FuzzFinding(
            found.rewrite.way.rule,
            found.sql,
            found.rewrite.after or "",
            schema,
            tables,
            found.wrong.expected,
            found.wrong.got,
            found.wrong.oracle,
            found.wrong.confirmed_by,
            script(made, schema, tables, system),
            number,
        )
