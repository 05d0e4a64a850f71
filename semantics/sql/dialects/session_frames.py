"""OVER (PARTITION BY k ORDER BY ts SESSION WITH GAP …): a frame that is the session of its row, as RisingWave has it.

The sessions go into FROM, and each call looks at all rows of its session: the first value is that of the least time.
"""

from typing import Final

from sqlglot import Token, TokenType, exp

from semantics.sql.dialects.nodes import call
from semantics.sql.dialects.profile import Prepared
from semantics.sql.dialects.refusals import Refused
from semantics.sql.dialects.window_calls import NAMES, name_of, windowing
from semantics.sql.errors import SqlError

WORDS: Final = ["SESSION", "WITH", "GAP"]
MARK: Final = "the session"
OF_SESSION: Final = tuple(f"session {name}" for name in NAMES)
"""What the bounds of sessions are called where no query sees them."""
PICKED: Final = {"FIRST_VALUE": ("MIN", "MIN_BY"), "LAST_VALUE": ("MAX", "MAX_BY")}


def with_sessions_in_from(found: list[Token], text: str) -> Prepared:  # noqa: ARG001
    """The tokens with a mark in the place of the frame, and the change of the tree that puts its sessions into FROM."""
    words = [token.text.upper() for token in found]
    starts = [i for i in range(len(words)) if words[i : i + 3] == WORDS]
    if not starts:
        return Prepared(found)
    kept, gaps = list(found), []
    for start in reversed(starts):
        end = next((i for i in range(start, len(found)) if found[i].token_type == TokenType.R_PAREN), len(found))
        gaps.append(" ".join(token.text for token in found[start + 3 : end] if token.text.upper() != "INTERVAL"))
        kept[start:end] = _mark(found[start])
    if len(set(gaps)) > 1:
        raise Refused("sessions with different gaps in one query", "each would divide the rows otherwise")
    return Prepared(kept, lambda tree: _in_from(tree, exp.Literal.string(gaps[0])))


def _mark(at: Token) -> list[Token]:
    """A frame that nobody writes: RANGE 'the session' PRECEDING."""
    kinds = ((TokenType.RANGE, "RANGE"), (TokenType.STRING, MARK), (TokenType.VAR, "PRECEDING"))
    return [Token(kind, text, at.line, at.col, at.start, at.end) for kind, text in kinds]


def _is_session(window: exp.Window) -> bool:
    """Has a call the frame with the mark, or a named window that has it?"""
    spec, name = window.args.get("spec"), window.args.get("alias")
    if spec is None and name is not None and window.parent_select is not None:
        named = window.parent_select.args.get("windows") or []
        return any(_is_session(one) for one in named if _name(one) == name.name.lower() and one is not window)
    start = spec.args.get("start") if spec is not None else None
    return isinstance(start, exp.Literal) and start.name == MARK


def _name(window: exp.Window) -> str:
    """What WINDOW calls a frame."""
    return str(window.this.name if window.this else window.alias).lower()


def _in_from(tree: exp.Expr, gap: exp.Literal) -> exp.Expr:
    marked = [window for window in tree.find_all(exp.Window) if _is_session(window)]
    frame = next((window for window in marked if window.args.get("order")), None)
    select = None if frame is None else frame.parent_select
    if frame is None or not isinstance(select, exp.Select) or select.args.get("from_") is None:
        raise SqlError("SESSION WITH GAP without an order and rows", "OVER (ORDER BY time SESSION WITH GAP …) … FROM")
    keys = [key.copy() for key in frame.args.get("partition_by") or []]
    time = frame.args["order"].expressions[0].this
    relation = select.args["from_"].this
    made = windowing("SESSION", relation.copy(), time.copy(), gap)
    made.set("keys", keys)
    made.set("names", OF_SESSION)
    made.set("alias", exp.TableAlias(this=exp.to_identifier(relation.alias_or_name)))
    for window in marked:
        if name_of(window.this):
            bounds = [exp.column(name) for name in OF_SESSION[:2]]
            whole = exp.Window(this=_of_session(window.this, time), partition_by=[*(k.copy() for k in keys), *bounds])
            window.replace(whole)
    for star in [item for item in select.expressions if isinstance(item, exp.Star)]:
        star.set("except_", [exp.to_identifier(name) for name in OF_SESSION])
    select.set("windows", [window for window in select.args.get("windows") or [] if window not in marked])
    select.set("from_", exp.From(this=made))
    return tree


def _of_session(function: exp.Expr, time: exp.Expr) -> exp.Expr:
    """A call over all rows of a session: the first and the last value are those of the least and the greatest time."""
    if name_of(function) not in PICKED:
        return function.copy()
    plain, by = PICKED[name_of(function)]
    value = function.expressions[0]
    return call(plain, value.copy()) if value == time else call(by, value.copy(), time.copy())
