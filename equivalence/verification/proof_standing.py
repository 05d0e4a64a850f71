"""How every rule stands as to proof: generated with the proofs, kept in a file, so that no solver is needed to say it.

Beside it is kept what was asked and what was answered, in short, so that a test notices which of them is out of date.
"""

import json
from collections.abc import Iterator
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Final, TypedDict

from equivalence.rules.statement import Rule

STANDING_FILE: Final = Path(__file__).with_name("standing.json")


class Standing(TypedDict):
    """The verdict in words, the question and the leaves as hashes."""

    proof: str
    question: str
    leaves: str | None


@cache
def standings() -> dict[str, Standing]:
    """By the rule's name."""
    return dict(json.loads(STANDING_FILE.read_text(encoding="utf-8")))


def proof_of(rule: Rule) -> str:
    """What is known of a rule by proof; rules that came after the last run have no entry."""
    known = standings().get(rule.name)
    return "not tried" if known is None else known["proof"]


def in_a_word(rule: Rule) -> str:
    """The same as short as can be."""
    said = proof_of(rule)
    words = ("proved", "refuted by a model", "refuted by a sample", "not tried")
    return next((word for word in words if said.startswith(word)), "outside the fragment")


def hashed(text: str) -> str:
    return sha256(text.encode()).hexdigest()[:16]


def question(rule: Rule) -> str:
    """What is asked about a rule, as a hash: both sides as terms, on every path."""
    from equivalence.prover.meaning.list_elements import NoSuchView  # the solvers are an extra
    from semantics import TypeMismatch

    try:
        return hashed("\n".join([rule.equivalence, *_asked(rule)]))
    except (NoSuchView, TypeMismatch, TypeError):
        return hashed(f"{rule.equivalence}: {rule.statement}")


def _asked(rule: Rule) -> Iterator[str]:
    from equivalence.lists.expression import show_listing
    from equivalence.prover.attempt import sides_of
    from equivalence.prover.prove import statements
    from equivalence.prover.terms.shape import shape
    from equivalence.rules.instances import Instance

    for statement in statements(rule):
        instance = statement.instance
        yield from map(str, instance.constraints)
        yield from map(shape, statement.known)
        if isinstance(instance, Instance):
            yield from map(shape, sides_of(instance)[2])
        else:
            yield from map(show_listing, (instance.left, instance.right))
