"""What the site makes from the code: commands, Python names, deviations, pictures."""

import re

import pytest

import snapeq
from docs.generate.commands import command_reference
from docs.generate.pages import NoSuchFile, fill_in
from docs.generate.pictures import FOLDER, PICTURES, drawn
from docs.generate.python_names import docstring, entry, python_reference
from equivalence.command.main import app


def test_every_command_has_its_help() -> None:
    text = command_reference()
    names = [command.name for command in app.registered_commands]
    assert re.findall(r"^## (.*)$", text, re.M) == names
    assert "--suggest-input" in text


@pytest.mark.parametrize("name", snapeq.__all__)
def test_every_public_name_says_what_it_is(name: str) -> None:
    assert docstring(name)


def test_every_public_name_is_on_the_page_once() -> None:
    found = re.findall(r"^:+\{py:(?:class|function|data)\} (\w+)", python_reference(), re.M)
    assert sorted(found) == sorted(snapeq.__all__)


def test_examples_and_methods_are_shown() -> None:
    assert "```python\n>>> " in entry("canonical")
    assert "ARRAY\\<element>: " in entry("array_of")
    assert "{py:method} aggregate(*, on_empty=False, **aggregates)" in entry("Query")


def test_parts_are_put_where_pages_want_them() -> None:
    text = fill_in("concepts/deviations", "before\n<!-- made from the code: deviations -->\nafter")
    assert text.startswith("before\n| name |")
    assert "| window end inclusive | pane ends are inclusive" in text


def test_blocks_that_are_files_show_their_names() -> None:
    block = "```sql file=query.sql\nSELECT 1\n```"
    assert fill_in("start", block) == "```{code-block} sql\n:caption: query.sql\n\nSELECT 1\n```"


def test_links_out_of_the_site_keep_their_text_and_must_lead_somewhere() -> None:
    assert fill_in("checking", "[proofs](../proofs/README.md)") == "proofs (`proofs/README.md`)"
    assert fill_in("how-to/index", "[dialects](../dialects.md)") == "[dialects](../dialects.md)"
    with pytest.raises(NoSuchFile, match=r"nowhere\.md"):
        fill_in("checking", "[proofs](../nowhere.md)")


@pytest.mark.parametrize("name", PICTURES)
def test_pictures_are_those_of_the_reference(name: str) -> None:
    picture = (FOLDER / f"{name}.svg").read_text(encoding="utf-8")
    assert picture == drawn(PICTURES[name]), "run `python -m docs.generate.pictures`"
