"""Random queries with every form of subquery, each in our words and in those of SQLite, which has no ANY and ALL."""

from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import Final

TABLES: Final = {"A": ("x", "y"), "B": ("x", "z"), "C": ("y", "z")}
COMPARISONS: Final = ("=", "<>", "<", "<=", ">", ">=")
AGGREGATES: Final = ("COUNT(*)", "COUNT({})", "COUNT(DISTINCT {})", "SUM({})", "MIN({})", "MAX({})")


@dataclass(frozen=True)
class Text:
    """One piece of SQL, twice."""

    ours: str
    sqlite: str

    def __add__(self, other: "Text | str") -> "Text":
        more = other if isinstance(other, Text) else Text(other, other)
        return Text(self.ours + more.ours, self.sqlite + more.sqlite)

    def __radd__(self, before: str) -> "Text":
        return Text(before, before) + self


def plain(text: str) -> Text:
    return Text(text, text)


class Queries:
    """Draws queries from a seeded generator."""

    def __init__(self, random: Random) -> None:
        self.random = random
        self.aliases = 0

    def chance(self, percent: int) -> bool:
        return self.random.randrange(100) < percent

    def query(self) -> Text:
        """A block over one or two streams; conditions and values with subqueries; sometimes grouped."""
        relations, columns = self.relations()
        where = " WHERE " + self.condition(columns, 2) if self.chance(80) else plain("")
        if self.chance(25):
            return self.grouped(relations + where, columns)
        items = [plain(f"{column} AS c{i}") for i, column in enumerate(self.some(columns))]
        if self.chance(30):
            items.append("(" + self.scalar(columns, 1) + ") AS s")
        if self.chance(30):
            items.append("(" + self.condition(columns, 2) + ") AS p")
        return self.select(items) + " FROM " + relations + where

    def select(self, items: list[Text]) -> Text:
        listed = items[0]
        for item in items[1:]:
            listed = listed + ", " + item
        return ("SELECT DISTINCT " if self.chance(20) else "SELECT ") + listed

    def grouped(self, rest: Text, columns: list[str]) -> Text:
        key = self.random.choice(columns)
        having = " HAVING " + self.condition([key], 1) if self.chance(60) else plain("")
        value = "(" + self.scalar([key], 1) + ")" if self.chance(30) else plain(self.aggregate(columns))
        return f"SELECT {key} AS k, " + value + " AS v FROM " + rest + f" GROUP BY {key}" + having

    def relations(self) -> tuple[Text, list[str]]:
        """FROM: one stream, two by a comma, or two by a join of some kind."""
        first, left = self.table()
        if self.chance(60):
            return plain(first), left
        second, right = self.table()
        if self.chance(50):
            return plain(f"{first}, {second}"), left + right
        kind = self.random.choice(["JOIN", "LEFT JOIN", "RIGHT JOIN", "FULL JOIN"])
        on = f"{self.random.choice(left)} {self.random.choice(COMPARISONS)} {self.random.choice(right)}"
        return plain(f"{first} {kind} {second} ON {on}"), left + right

    def table(self) -> tuple[str, list[str]]:
        name = self.random.choice(sorted(TABLES))
        self.aliases += 1
        alias = f"t{self.aliases}"
        return f"{name} AS {alias}", [f"{alias}.{column}" for column in TABLES[name]]

    def some(self, columns: list[str]) -> list[str]:
        return self.random.sample(columns, self.random.randint(1, min(2, len(columns))))

    def operand(self, columns: list[str]) -> str:
        return str(self.random.choice([*columns, *columns, "0", "1", "2"]))

    def condition(self, columns: list[str], depth: int) -> Text:
        forms: list[Callable[[list[str], int], Text]] = [self.compared, self.compared, self.null]
        if depth:
            forms += [
                self.both,
                self.either,
                self.inverted,
                self.exists,
                self.member,
                self.quantified,
                self.with_scalar,
            ]
            forms += [self.exists, self.member, self.quantified, self.with_scalar]
        return self.random.choice(forms)(columns, depth - 1)

    def compared(self, columns: list[str], _: int) -> Text:
        sign = self.random.choice(("=", "=", "=", *COMPARISONS))
        return plain(f"{self.operand(columns)} {sign} {self.operand(columns)}")

    def null(self, columns: list[str], _: int) -> Text:
        return plain(f"{self.random.choice(columns)} IS {self.random.choice(['', 'NOT '])}NULL")

    def both(self, columns: list[str], depth: int) -> Text:
        return "(" + self.condition(columns, depth) + " AND " + self.condition(columns, depth) + ")"

    def either(self, columns: list[str], depth: int) -> Text:
        return "(" + self.condition(columns, depth) + " OR " + self.condition(columns, depth) + ")"

    def inverted(self, columns: list[str], depth: int) -> Text:
        return "NOT (" + self.condition(columns, depth) + ")"

    def exists(self, columns: list[str], depth: int) -> Text:
        return self.random.choice(["", "NOT "]) + "EXISTS (" + self.subquery(columns, depth) + ")"

    def member(self, columns: list[str], depth: int) -> Text:
        word = self.random.choice(["IN", "NOT IN"])
        return f"{self.operand(columns)} {word} (" + self.subquery(columns, depth) + ")"

    def quantified(self, columns: list[str], depth: int) -> Text:
        """SQLite has no ANY: it asks whether some comparison is TRUE, then whether some is unknown."""
        value, sign, query = self.operand(columns), self.random.choice(COMPARISONS), self.subquery(columns, depth)
        every = self.chance(50)
        opposite = dict(zip(COMPARISONS, ("<>", "=", ">=", ">", "<=", "<"), strict=True))[sign] if every else sign
        found = (
            f"EXISTS (SELECT 1 FROM (SELECT {value} AS l, r FROM (SELECT NULL AS r WHERE 0 UNION ALL {{}})) WHERE {{}})"
        )
        rows = f"SELECT * FROM ({query.sqlite})"
        some = found.format(rows, f"l {opposite} r")
        unknown = found.format(rows, f"(l {opposite} r) IS NULL")
        case = f"(CASE WHEN {some} THEN 1 WHEN {unknown} THEN NULL ELSE 0 END)"
        return Text(f"{value} {sign} {'ALL' if every else 'ANY'} ({query.ours})", f"(NOT {case})" if every else case)

    def with_scalar(self, columns: list[str], depth: int) -> Text:
        sign, value = self.random.choice(COMPARISONS), self.operand(columns)
        query = "(" + self.scalar(columns, depth) + ")"
        return f"{value} {sign} " + query if self.chance(70) else query + f" {sign} {value}"

    def scalar(self, columns: list[str], depth: int) -> Text:
        """An aggregate without GROUP BY, perhaps with HAVING, perhaps plus an outer column."""
        relations, inner = self.relations()
        item = self.aggregate(inner) + (f" + {self.random.choice(columns)}" if self.chance(15) else "")
        where = " WHERE " + self.condition(inner + columns, depth) if self.chance(80) else plain("")
        having = f" HAVING {self.aggregate(inner)} > 0" if self.chance(15) else ""
        return f"SELECT {item} AS v FROM " + relations + where + having

    def aggregate(self, columns: list[str]) -> str:
        return self.random.choice(AGGREGATES).format(self.random.choice(columns))

    def subquery(self, columns: list[str], depth: int) -> Text:
        """One column: of rows, of groups, of a total, or of a set operation; correlated or not."""
        form = self.random.randrange(10)
        if form == 0 and depth:
            kind = self.random.choice(["UNION", "UNION ALL", "INTERSECT", "EXCEPT"])
            return self.subquery(columns, 0) + f" {kind} " + self.subquery(columns, 0)
        if form == 1:
            return self.scalar(columns, depth)
        relations, inner = self.relations()
        where = " WHERE " + self.condition(inner + columns, depth) if self.chance(75) else plain("")
        if form <= 3:
            having = f" HAVING {self.aggregate(inner)} {self.random.choice(COMPARISONS)} {self.operand(columns)}"
            return f"SELECT {self.aggregate(inner)} AS v FROM " + relations + where + f" GROUP BY {inner[0]}" + having
        distinct = "DISTINCT " if self.chance(20) else ""
        return f"SELECT {distinct}{self.operand(inner)} AS v FROM " + relations + where
