"""Every link between the files of the repository leads somewhere, also where no site is built."""

import re
from pathlib import Path

import pytest

from tests.paths import ROOT

PAGES = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *(ROOT / "examples").rglob("*.md")]
LINK = re.compile(r"\]\((?!https?:|mailto:)([^)#\s]+)(?:#([^)\s]+))?\)")
FENCE = re.compile(r"^(?:`{3,}|~{3,}).*?^(?:`{3,}|~{3,})$|`[^`\n]+`", re.M | re.S)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_links_lead_somewhere(page: Path) -> None:
    links = LINK.findall(FENCE.sub("", page.read_text(encoding="utf-8")))
    missing = [target for target, _ in links if not (page.parent / target).exists()]
    missing += [f"{target}#{place}" for target, place in links if place and place not in headings(page.parent / target)]
    assert missing == []


def headings(page: Path) -> set[str]:
    """The anchors of a page, as GitHub and MyST make them from its headings."""
    titles = re.findall(r"^#+ (.*)$", page.read_text(encoding="utf-8"), re.M)
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}


def test_there_are_links_to_look_at() -> None:
    assert len(LINK.findall((ROOT / "README.md").read_text(encoding="utf-8"))) > 15
