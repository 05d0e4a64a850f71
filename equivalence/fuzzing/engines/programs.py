"""Programs in Python without snapeq, which show what an engine answers with everything on and with a switch off."""

from collections.abc import Sequence


def program(imports: Sequence[str], settings: Sequence[object], opening: Sequence[str], answer: str) -> list[str]:
    """For each setting, which is called `switched_off`, a database is opened, and the answer or the error printed."""
    return [
        *imports,
        "",
        f"for switched_off in {list(settings)!r}:",
        *(f"    {line}" for line in opening),
        "    try:",
        f"        print({answer})",
        "    except BaseException as error:",
        '        print(f"{type(error).__name__}: {error}")',
    ]


def executed(statements: Sequence[str], how: str) -> list[str]:
    """Statements that are run one after the other."""
    return ["for statement in (", *(f"    {statement!r}," for statement in statements), "):", f"    {how}"]
