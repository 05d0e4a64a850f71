"""Are the packages `semantics`, `physical` and `equivalence` ours, or does somebody else's package hide one of them?

Their names are plain words, and people have folders of that name in their own projects.
"""

from importlib.util import find_spec
from pathlib import Path
from typing import Final

OWN_PACKAGES: Final = ("semantics", "physical", "equivalence")
_FOLDER: Final = Path(__file__).resolve().parents[1]


def foreign_package() -> str | None:
    """One sentence about a package that hides one of ours, and what to do; nothing if all are ours."""
    for name in OWN_PACKAGES:
        found = _place(name)
        if found != _FOLDER / name:
            return (
                f"snapeq needs its own package {name!r}, but found {found or 'none'}: "
                "rename that one, or start Python where it does not come first on the path"
            )
    return None


def _place(name: str) -> Path | None:
    """The folder, or the file, that `import name` gives; importing it would run somebody else's code."""
    spec = find_spec(name)
    if spec is None:
        return None
    places = [*(spec.submodule_search_locations or []), spec.origin]
    return Path(str(places[0])).resolve()
