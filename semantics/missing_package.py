"""What is said where a package is missing that the plain installation leaves out: always the same sentence."""


def missing_package(what: str, *packages: str, command: str) -> str:
    """Who needs which packages, and the command to type.

    >>> missing_package("the prover", "z3", "cvc5", command="pip install 'snapeq[prove]'")
    "the prover: needs z3 and cvc5, which are not installed: pip install 'snapeq[prove]'"
    """
    verb = "is" if len(packages) == 1 else "are"
    return f"{what}: needs {' and '.join(packages)}, which {verb} not installed: {command}"
