"""How a continuous query is computed.

Names are loaded when they are first used: importing numpy and Arrow takes time, and a plan needs neither.
"""

from typing import TYPE_CHECKING

import semantics

if getattr(semantics, "__distribution__", None) != "snapeq":
    raise ImportError(
        f"snapeq needs its own package 'semantics', but found {semantics.__file__}: "
        "rename that one, or start Python where it does not come first on the path"
    )

from semantics.lazy_names import lazy_names

if TYPE_CHECKING:
    from physical.columns.arrow import from_arrow, to_arrow
    from physical.columns.stream import PhysicalStream
    from physical.engines.interval.run_plan import run
    from physical.engines.interval.session import Session
    from physical.planning.planner import explain
else:
    __getattr__ = lazy_names(__name__)

__distribution__ = "snapeq"
__all__ = ["PhysicalStream", "Session", "explain", "from_arrow", "run", "to_arrow"]
