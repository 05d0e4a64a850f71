"""Whether every rule is proved, from a file that is generated with the proofs: no solver is needed to look it up.

The file also has hashes of the questions and of the answers, so that a test notices which entries are out of date.
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
    """The verdict in words, and hashes of the question and of the leaves."""

    proof: str
    question: str
    leaves: str | None


@cache
def standings() -> dict[str, Standing]:
    """By the rule's name."""
    return dict(json.loads(STANDING_FILE.read_text(encoding="utf-8")))


def proof_of(rule: Rule) -> str:
    """The verdict on a rule; rules newer than the last run have none."""
    known = standings().get(rule.name)
    return "not tried" if known is None else known["proof"]


def in_a_word(rule: Rule) -> str:
    """The verdict on a rule in one or a few words."""
    said = proof_of(rule)
    words = ("proved", "refuted by a model", "refuted by a sample", "not tried")
    return next((word for word in words if said.startswith(word)), "outside the fragment")


def short_hash(text: str) -> str:
    return sha256(text.encode()).hexdigest()[:16]


def question_hash(rule: Rule) -> str:
    """A hash of what is asked about a rule: both sides as terms, on every path."""
    from equivalence.prover.meaning.list_elements import NoSuchView  # the solvers are an extra
    from semantics import TypeMismatch

    try:
        return short_hash("\n".join([rule.equivalence, *_asked(rule)]))
    except (NoSuchView, TypeMismatch, TypeError):
        return short_hash(f"{rule.equivalence}: {rule.statement}")


def _asked(rule: Rule) -> Iterator[str]:
    from equivalence.lists.list_expression import show_listing
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
