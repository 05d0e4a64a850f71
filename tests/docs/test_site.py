"""The site as Sphinx builds it: strict, complete, and without anything from other hosts."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.docs.playground_page import serving
from tests.equivalence.command.browser import CHROMEDRIVER, CHROMIUM, browser
from tests.paths import ROOT

pytest.importorskip("furo", reason="the extra docs is not installed")
pytest.importorskip("myst_parser", reason="the extra docs is not installed")

LOADED = re.compile(r"<(?:script|img|link|iframe)\b[^>]*\b(?:src|href)=\"(?:https?:)?//[^\"]*\"")

AUDIT = Path(__file__).with_name("audit.js").read_text(encoding="utf-8")
READ = ("index", "start", "tour", "playground", "how-to/index", "concepts/windows", "reference/python", "language")


def build(source: Path, target: Path) -> "subprocess.CompletedProcess[str]":
    sphinx = [sys.executable, "-m", "sphinx", "-q", "-W", "--keep-going", "-n", "-b", "html", str(source), str(target)]
    return subprocess.run(sphinx, cwd=ROOT, capture_output=True, text=True, check=False)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    target = tmp_path_factory.mktemp("site")
    built = build(ROOT / "docs", target)
    assert built.returncode == 0, built.stderr
    return target


def test_every_page_is_there(site: Path) -> None:
    sources = {path.relative_to(ROOT / "docs").with_suffix(".html") for path in (ROOT / "docs").rglob("*.md")}
    assert {page for page in sources if not (site / page).is_file()} == set()


def test_nothing_comes_from_another_host(site: Path) -> None:
    pages = list(site.rglob("*.html"))
    assert len(pages) > 40
    assert [(page.name, found) for page in pages for found in LOADED.findall(page.read_text(encoding="utf-8"))] == []


@pytest.mark.skipif(not (CHROMIUM and CHROMEDRIVER), reason="chromium and chromedriver are not installed")
def test_pages_are_readable_at_both_widths(site: Path, tmp_path: Path) -> None:
    with browser(tmp_path) as window, serving(site) as address:
        for width in (1280, 390):
            window.call("POST", "/window/rect", {"width": width, "height": 900})
            for page in READ:
                window.open(f"{address}/{page}.html")
                assert window.run(AUDIT) == [], page
                assert window.run("return document.documentElement.scrollWidth <= innerWidth"), page
        assert window.errors() == []


def test_names_and_commands_are_on_their_pages(site: Path) -> None:
    assert 'id="check_plans"' in (site / "reference" / "python.html").read_text(encoding="utf-8")
    assert "--suggest-input" in (site / "reference" / "commands.html").read_text(encoding="utf-8")


@pytest.mark.parametrize("link", ["[x](nowhere.md)", "[x](start.md#nowhere)", "[x](../nowhere.md)"])
def test_a_broken_link_is_an_error(link: str, tmp_path: Path) -> None:
    pages = tmp_path / "docs"
    pages.mkdir()
    shutil.copy(ROOT / "docs" / "conf.py", pages)
    (pages / "static").mkdir()
    for name in ("generate", "__init__.py"):
        (pages / name).symlink_to(ROOT / "docs" / name)
    for package in ("semantics", "physical", "equivalence", "snapeq"):
        (tmp_path / package).symlink_to(ROOT / package)
    for name in ("site.css", "icon.svg"):
        (pages / "static" / name).touch()
    (pages / "start.md").write_text("# Start\n", encoding="utf-8")
    (pages / "index.md").write_text(f"# Here\n\n```{{toctree}}\nstart\n```\n\n{link}\n", encoding="utf-8")
    built = build(pages, tmp_path / "built")
    assert built.returncode != 0
    assert "nowhere" in built.stderr
