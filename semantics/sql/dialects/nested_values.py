"""Values with parts in this language's words: positions in arrays, structs, paths into JSON."""

from sqlglot import exp

from semantics.sql.dialects.nodes import call, plus
from semantics.sql.dialects.profile import Profile
from semantics.sql.dialects.refusals import Refused
from semantics.sql.dialects.window_calls import name_of
from semantics.sql.errors import place

Path = exp.JSONExtract | exp.JSONExtractScalar | exp.JSONBExtract | exp.JSONBExtractScalar


def element(node: exp.Bracket, profile: Profile) -> exp.Expr:
    """a[i]; what is outside is NULL in all dialects, and in DuckDB a negative number counts from the end."""
    index = node.expressions[0] if len(node.expressions) == 1 else node
    if isinstance(index, exp.Slice | exp.Bracket) or (isinstance(index, exp.Literal) and index.is_string):
        raise Refused("a value of a map, or a part of an array", "this language has no such values", place(node))
    if isinstance(index, exp.Literal) and index.is_int:  # sqlglot counts numbers from 0 where it knows how
        index = exp.Literal.number(int(index.name) + profile.syntax.INDEX_OFFSET)
    index = index if profile.first_position else plus(index.copy(), 1)
    return call("ELEMENT_AT" if profile.name == "duckdb" else "ARRAY_GET", node.this, index)


def struct(node: exp.Expr) -> exp.Expr:
    """STRUCT(a, b) and {'a': 1} with names for their fields."""
    parts: list[exp.Expr] = []
    for i, part in enumerate(node.expressions, 1):
        named = isinstance(part, exp.PropertyEQ | exp.Alias | exp.Kwarg)
        name = _name_of(part) if named else part.name if isinstance(part, exp.Column) else f"col{i}"
        value = part.this if isinstance(part, exp.Alias) else part.expression if named else part
        parts += [exp.Literal.string(name), value.copy()]
    return call("NAMED_ROW", *parts)


def _name_of(part: exp.Expr) -> str:
    return str(part.alias if isinstance(part, exp.Alias) else part.this.name)


def is_struct(node: exp.Expr) -> bool:
    return isinstance(node, exp.Struct) or name_of(node) == "STRUCT"


def at_path(node: exp.Expr) -> exp.Expr:
    """`s -> 'a' ->> 'b'`: what stands at $.a.b, as text."""
    if not isinstance(node, exp.JSONExtractScalar | exp.JSONBExtractScalar):
        raise Refused("a path into JSON with -> at its end", "its value is JSON, not a text: use ->>", place(node))
    steps: list[str] = []
    of: exp.Expr = node
    while isinstance(of, Path):
        steps.insert(0, _path(of.expression))
        of = of.this
    return call("GET_JSON_OBJECT", of.copy(), exp.Literal.string("$" + "".join(steps)))


def is_json(node: exp.Is) -> exp.Expr:
    """`x IS JSON [VALUE | OBJECT | ARRAY | SCALAR]`; that of NULL is NULL."""
    kind = str(node.expression.this or "VALUE").upper()
    if node.expression.args.get("unique"):
        raise Refused("IS JSON WITH UNIQUE KEYS", "names may come twice here", place(node))
    if kind == "VALUE":
        return call("IS_JSON", node.this)
    found = exp.func("COALESCE", call("JSON_TYPEOF", node.this), exp.Literal.string(""))
    kinds = [kind.lower()] if kind != "SCALAR" else ["string", "number", "boolean", "null"]
    told = exp.In(this=found, expressions=list(map(exp.Literal.string, kinds)))
    return exp.paren(exp.and_(call("IS_JSON", node.this.copy()), told, copy=False), copy=False)


def has_key(node: exp.Expr) -> exp.Expr:
    """`j ? 'a'`: an object with this name, or an array with this text."""
    if not isinstance(node.expression, exp.Literal) or not node.expression.is_string:
        raise Refused("? with a key that is no constant", "paths into JSON are constants here", place(node))
    return call("JSON_EXISTS", json_part(node.this), exp.Literal.string(f'$["{node.expression.name}"]'))


def json_part(node: exp.Expr) -> exp.Expr:
    """`s -> 'a'` where the object or array is wanted, as JSON; sqlglot takes it for a function of s as an argument."""
    if isinstance(node, exp.Lambda) and isinstance(node.this, exp.Literal) and len(node.expressions) == 1:
        of = node.expressions[0]
        node = exp.JSONExtract(this=exp.column(of) if isinstance(of, exp.Identifier) else of, expression=node.this)
    if not isinstance(node, exp.JSONExtract | exp.JSONBExtract):
        return node.copy()
    made = at_path(exp.JSONExtractScalar(this=node.this.copy(), expression=node.expression.copy()))
    return call("JSON_QUERY", *made.expressions)


def _path(node: exp.Expr) -> str:
    """The steps of a path, without its $."""
    parts = node.expressions if isinstance(node, exp.JSONPath) else [node]
    steps = ""
    for part in parts:
        match part:
            case exp.JSONPathRoot():
                continue
            case exp.JSONPathKey() if isinstance(part.this, str):
                steps += f'["{part.this}"]'
            case exp.JSONPathSubscript() if isinstance(part.this, int):
                steps += f"[{part.this}]"
            case exp.Literal():
                steps += f"[{part.name}]" if part.is_int else f'["{part.name}"]'
            case _:
                raise Refused("this path into JSON", "only names and positions are read", place(node))
    return steps
