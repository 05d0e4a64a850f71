"""A SELECT under construction: where its rows come from, which of them, and the texts of its columns."""

from dataclasses import dataclass, field
from itertools import count
from typing import Final

from equivalence.foreign_plans.errors import PlanError

LONGEST_EXPRESSION: Final = 2_000
"""A projection over longer texts is a query of its own, so that texts do not double with each."""


@dataclass(frozen=True)
class Block:
    """`SELECT columns FROM source WHERE conditions`. Without columns it has rows all the same."""

    columns: tuple[str, ...]
    source: str
    conditions: tuple[str, ...] = ()
    plain: bool = False
    """Whether the columns are those of one item of FROM, and nothing is left out: what an outer join may pad."""
    grouped: bool = False
    """Whether the source ends with GROUP BY. Then columns are keys and aggregates, and no query inside may see them."""
    whole: str = ""
    """The query whose columns these are, if it is one: it need not be put into another one."""

    @property
    def query(self) -> str:
        if self.whole:
            return self.whole
        columns = ", ".join(f"{text} AS c{i}" for i, text in enumerate(self.columns or ("0",)))
        word = "HAVING" if self.grouped else "WHERE"
        where = f" {word} {' AND '.join(self.conditions)}" if self.conditions else ""
        return f"SELECT {columns} FROM {self.source}{where}"

    def having(self, *conditions: str) -> "Block":
        """Only the rows for which these hold, too."""
        return Block(self.columns, self.source, self.conditions + conditions, grouped=self.grouped)

    def mapped(self, columns: tuple[str, ...]) -> "Block":
        """Other columns of the same rows."""
        return Block(columns, self.source, self.conditions, grouped=self.grouped)

    def matched(self, other: "Block", *, negated: bool) -> "Block":
        """Only the rows for which a query that sees them has a row, or has none."""
        return self.having(f"({'NOT ' if negated else ''}EXISTS ({other.query}))")

    @property
    def is_long(self) -> bool:
        return any(len(text) > LONGEST_EXPRESSION for text in self.columns)


@dataclass
class Blocks:
    """Makes blocks; no two items of FROM have the same name."""

    _numbers: "count[int]" = field(default_factory=count)

    def named(self) -> str:
        return f"t{next(self._numbers)}"

    def of_table(self, table: str, columns: tuple[str, ...]) -> Block:
        name = self.named()
        return Block(tuple(f"{name}.{column}" for column in columns), f"{table} AS {name}", plain=True)

    def of_query(self, query: str, columns: int, *, lateral: bool = False) -> Block:
        """The rows of a query whose columns are called c0, c1, ..."""
        name = self.named()
        before = "LATERAL " if lateral else ""
        texts = tuple(f"{name}.c{i}" for i in range(columns))
        return Block(texts, f"{before}({query}) AS {name}", plain=True, whole=query)

    def ungrouped(self, block: Block) -> Block:
        """The block; if it is grouped, as an item of FROM."""
        return self.closed(block) if block.grouped else block

    def for_keys(self, block: Block) -> Block:
        """The block with columns that GROUP BY may name: it takes a number for the place of a column."""
        return self.closed(block) if block.grouped or any("." not in text for text in block.columns) else block

    def closed(self, block: Block, *, lateral: bool = False) -> Block:
        """The block as one item of FROM."""
        if block.plain and not lateral:
            return block
        return self.of_query(block.query, len(block.columns), lateral=lateral)

    def of_rows(self, rows: list[tuple[str, ...]], types: tuple[str, ...]) -> Block:
        """Rows of constants; none of them, too."""
        name = self.named()
        source = f"(VALUES (0)) AS {name}(c0)"
        if not rows:
            return Block(tuple(f"CAST(NULL AS {kind})" for kind in types), source, ("FALSE",))
        if len(rows) == 1:
            return Block(rows[0], source)
        return self.united([Block(row, source) for row in rows], "UNION ALL", len(types))

    def united(self, blocks: list[Block], operator: str, columns: int) -> Block:
        """A set operation of two or more, from left to right."""
        text = f"({blocks[0].query})"
        for block in blocks[1:]:
            text = f"({text} {operator} ({block.query}))"
        return self.of_query(text.removeprefix("(").removesuffix(")"), columns)

    def joined(self, kind: str, left: Block, right: Block, condition: str) -> Block:
        """Rows of both; INNER, LEFT, RIGHT or FULL. The condition is over the columns that `sides` gives."""
        source = f"{left.source} {kind} JOIN {right.source} ON {condition}"
        return Block(left.columns + right.columns, source, left.conditions + right.conditions)

    def correlated(self, kind: str, left: Block, right: Block) -> Block:
        """The rows of a block for each row of another, whose columns it sees; INNER, LEFT, SEMI or ANTI."""
        if kind in ("SEMI", "ANTI"):
            return left.matched(right, negated=kind == "ANTI")
        if kind not in ("INNER", "LEFT"):
            raise PlanError(f"a correlation of the kind {kind} is not known here")
        return self.joined(kind, left, self.closed(right, lateral=True), "TRUE")

    def distinct(self, block: Block) -> Block:
        return self.of_query(f"SELECT DISTINCT{block.query.removeprefix('SELECT')}", len(block.columns))

    def grouped(self, block: Block, keys: tuple[str, ...], aggregates: tuple[str, ...], *, always: bool) -> Block:
        """One row for each group; without keys for all rows, and `always` says whether even if there are none."""
        group = f"GROUP BY {', '.join(keys)}" if keys else "GROUP BY ()"
        where = f" WHERE {' AND '.join(block.conditions)}" if block.conditions else ""
        if not keys and not always:
            rows = block.mapped(aggregates or ("COUNT(*)",)).query
            return self.of_query(rows, len(aggregates))
        return Block(keys + aggregates, f"{block.source}{where} {group}", grouped=True)

    def limited(self, block: Block, order: tuple[str, ...], limit: str | None, offset: str | None) -> Block:
        """Some rows in an order. It counts only where something is cut off."""
        if limit is None and offset is None:
            return block
        query = block.query + (f" ORDER BY {', '.join(order)}" if order else "")
        query += "" if limit is None else f" LIMIT {limit}"
        query += "" if offset is None else f" OFFSET {offset}"
        return self.of_query(query, len(block.columns))

    def sides(self, kind: str, left: Block, right: Block) -> tuple[Block, Block]:
        """Both sides, such that `joined` may put them together: what an outer join pads must be an item of FROM."""
        left = self.closed(left) if kind in ("RIGHT", "FULL") or left.grouped else left
        right = self.ungrouped(right)
        alone = right.plain or (kind == "INNER" and " JOIN " not in right.source)
        return left, right if alone else self.closed(right)
