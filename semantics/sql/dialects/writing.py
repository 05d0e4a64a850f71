"""Trees of sqlglot, with this language's own windows, as text of this language."""

import re
from typing import Any, ClassVar, Final

from sqlglot import ErrorLevel, exp
from sqlglot.generator import Generator

from semantics.sql.dialects.durations import UNITS, microseconds
from semantics.sql.dialects.nodes import Held, InOwnWords
from semantics.sql.errors import SqlError
from semantics.sql.grammar.dialect import Snapeq
from semantics.sql.grammar.words import RESERVED

_PLAIN: Final = re.compile(r"[A-Za-z_][A-Za-z_0-9]*")
_WORDS: Final = frozenset(
    (*RESERVED, "NOW", "VALUES", "ROW", "CAST", "TRY_CAST", "INTERVAL", "LATERAL", "DATE", "TIME")
)
D = exp.DataType.Type
TYPE_NAMES: Final = {
    **dict.fromkeys((D.TINYINT, D.SMALLINT, D.INT, D.BIGINT, D.UINT, D.UBIGINT, D.USMALLINT, D.UTINYINT), "BIGINT"),
    **dict.fromkeys((D.FLOAT, D.DOUBLE), "DOUBLE"),
    **dict.fromkeys((D.CHAR, D.NCHAR, D.VARCHAR, D.NVARCHAR, D.TEXT, D.NAME, D.JSON, D.JSONB), "TEXT"),
    **dict.fromkeys((D.TIMESTAMP, D.TIMESTAMPTZ, D.TIMESTAMPLTZ, D.TIMESTAMPNTZ, D.DATETIME), "TIMESTAMP"),
    D.BOOLEAN: "BOOLEAN",
    D.DATE: "DATE",
    D.DATE32: "DATE",
    D.TIME: "TIME",
}


class Writer(Generator):
    """sqlglot's generator, as far as this language differs from what it writes."""

    RESERVED_KEYWORDS: ClassVar[set[str]] = set()
    TRANSFORMS: ClassVar[dict[Any, Any]] = {
        **Generator.TRANSFORMS,
        Held: lambda self, node: f"{self.sql(node, 'this')} WINDOW({node.args['window']})",
        InOwnWords: lambda _, node: str(node.this),
        exp.Interval: lambda _, node: _interval(node),
        exp.NullSafeEQ: lambda self, node: self.binary(node, "IS NOT DISTINCT FROM"),
        exp.NullSafeNEQ: lambda self, node: self.binary(node, "IS DISTINCT FROM"),
        exp.Extract: lambda self, node: f"EXTRACT({node.this.name.upper()} FROM {self.sql(node, 'expression')})",
        exp.Mod: lambda self, node: f"MOD({self.sql(node, 'this')}, {self.sql(node, 'expression')})",
        exp.TryCast: lambda self, node: f"TRY_CAST({self.sql(node, 'this')} AS {self.sql(node, 'to')})",
        exp.Substring: lambda self, node: self.func("SUBSTRING", *node.args.values()),
        exp.StrPosition: lambda self, node: self.func("POSITION", node.args["substr"], node.this),
        exp.Array: lambda self, node: f"ARRAY[{self.expressions(node, flat=True)}]",
        exp.Trim: lambda self, node: _trimmed(self, node),
    }

    def identifier_sql(self, expression: exp.Identifier) -> str:
        name = expression.name
        if _PLAIN.fullmatch(name) and name.upper() not in _WORDS:
            return name
        if name == "NOW" and not expression.quoted:
            return name
        escaped = name.replace('"', '""')
        return f'"{escaped}"'

    def datatype_sql(self, expression: exp.DataType) -> str:
        known = TYPE_NAMES.get(expression.this)
        if known is not None:
            return known
        if expression.this == D.STRUCT:
            fields = [f"{self.sql(one, 'this')} {self.sql(one, 'kind')}" for one in expression.expressions]
            return f"ROW<{', '.join(fields)}>"
        if expression.this == D.ARRAY:
            return f"ARRAY<{self.expressions(expression, flat=True)}>"
        if expression.this in (D.DECIMAL, D.BIGDECIMAL):
            sizes = ", ".join(self.sql(size) for size in expression.expressions)
            return f"DECIMAL({sizes})" if sizes else "DECIMAL(38, 10)"
        return super().datatype_sql(expression)


def written(node: exp.Expr, *, pretty: bool = False) -> str:
    """A tree as text of this language."""
    return Writer(dialect=Snapeq(), pretty=pretty, comments=False, unsupported_level=ErrorLevel.IGNORE).generate(node)


def _interval(node: exp.Interval) -> str:
    """In the largest unit that fits, or in months."""
    try:
        length = microseconds(node)
    except SqlError:
        unit = node.args.get("unit")
        if isinstance(unit, exp.IntervalSpan):
            return f"INTERVAL '{node.this.name}' {unit.this.name.upper()} TO {unit.expression.name.upper()}"
        name = str(unit.name).upper().removesuffix("S") if unit is not None else ""
        return f"INTERVAL '{node.this.name}' {name}".rstrip()
    for name in ("DAY", "HOUR", "MINUTE", "SECOND"):
        if length % UNITS[name] == 0:
            return f"INTERVAL '{length // UNITS[name]}' {name}"
    sign, rest = ("-" if length < 0 else ""), abs(length)
    return f"INTERVAL '{sign}{rest // 1_000_000}.{rest % 1_000_000:06d}' SECOND"


def _trimmed(writer: Generator, node: exp.Trim) -> str:
    name = {"LEADING": "LTRIM", "TRAILING": "RTRIM"}.get(str(node.args.get("position")).upper(), "TRIM")
    return writer.func(name, node.this, *([node.expression] if node.expression else []))
