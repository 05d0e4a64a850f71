"""docs/functions.md is what the table says."""

from semantics.functions.document import document
from semantics.functions.table import BY_NAME
from tests.paths import ROOT

PAGE = (ROOT / "docs" / "functions.md").read_text(encoding="utf-8")


def test_the_page_has_the_table_as_it_is() -> None:
    assert PAGE.partition("## The functions\n\n")[2] == document() + "\n", "python -m semantics.functions.document"


def test_the_page_has_every_name() -> None:
    assert [name for name in BY_NAME if f"`{name.upper()}`" not in PAGE] == []
