"""How a continuous query is computed."""

import semantics

if getattr(semantics, "__distribution__", None) != "snapeq":
    raise ImportError(
        f"snapeq needs its own package 'semantics', but found {semantics.__file__}: "
        "rename that one, or start Python where it does not come first on the path"
    )

__distribution__ = "snapeq"
