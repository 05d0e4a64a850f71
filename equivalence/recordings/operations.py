"""Operation codes of changelogs, as engines and connectors write them."""

from typing import Final, Literal

Operation = Literal["insert", "update before", "update after", "update", "delete"]

CODES: Final[dict[str, Operation]] = {
    **dict.fromkeys(("+i", "i", "c", "r", "insert", "create", "read", "+", "1", "+1"), "insert"),
    **dict.fromkeys(("-u", "ub", "update_before", "update_preimage", "updatedelete", "update_delete"), "update before"),
    **dict.fromkeys(("+u", "ua", "update_after", "update_postimage", "updateinsert", "update_insert"), "update after"),
    **dict.fromkeys(("u", "update", "upsert"), "update"),
    **dict.fromkeys(("-d", "d", "delete", "-", "-1"), "delete"),
}
"""In small letters; the minus sign may be a hyphen or the real one."""


def operation_of(code: object) -> Operation | None:
    """What a code means, or None if it is unknown.

    >>> [operation_of(code) for code in ("+I", "−U", "UPDATE_AFTER", "d", -1, "t")]
    ['insert', 'update before', 'update after', 'delete', 'delete', None]
    """
    return CODES.get(str(code).strip().lower().replace("−", "-"))
