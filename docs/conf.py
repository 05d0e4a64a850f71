"""How Sphinx builds the site from the pages in this folder: `make site`."""

import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

import snapeq  # noqa: E402
from docs.generate.pages import fill_in  # noqa: E402

project = "snapeq"
author = "The snapeq developers"
copyright = f"2026, {author}"
release = version = snapeq.__version__
extensions = ["myst_parser"]
exclude_patterns = ["play", "generate"]
root_doc = "index"

myst_enable_extensions = ["colon_fence"]
myst_heading_anchors = 4
suppress_warnings = ["misc.highlighting_failure"]  # several lines of JSON in one block are no JSON

html_theme = "furo"
html_title = "snapeq"
html_static_path = ["static"]
html_favicon = "static/icon.svg"
html_css_files = ["site.css"]
html_copy_source = False
html_show_sphinx = False


def setup(app: Any) -> None:
    """Pages that are made from the code are filled in while they are read."""
    app.connect("source-read", read)


def read(_: Any, page: str, source: list[str]) -> None:
    source[0] = fill_in(page, source[0])
