"""Does a conjunction follow from facts by choosing witnesses among the terms that are there?"""

from collections.abc import Iterator, Sequence
from typing import Final

from equivalence.prover.terms.build import ONE, at_most, conjuncts, natural, positive
from equivalence.prover.terms.substitution import opened, substitute
from equivalence.prover.terms.term import (
    TRUE,
    Apply,
    Exists,
    Fresh,
    Symbol,
    Term,
    Var,
    cached_on_term,
    mentions,
    subterms,
)

Binding = dict[Var, Term]
WITNESS_STEPS: Final = 300
"""A search for witnesses ends after this many steps."""


def facts_of(guards: Sequence[Term], factors: Sequence[Term]) -> list[Term]:
    """What holds wherever a product is not 0: its guards, and that its natural factors are ≥ 1."""
    there = [part for f in factors if natural(f) for part in conjuncts(positive(f))]
    return [*guards, *there, *(at_most(ONE, f) for f in factors if natural(f))]


def opened_facts(facts: Sequence[Term], fresh: Fresh) -> list[Term]:
    """The facts, and what they say of the witnesses of each existence, under fresh names."""
    inner = [p for f in facts if isinstance(f, Exists) for p in conjuncts(opened(f.variables, f.body, fresh)[1])]
    return [*facts, *inner, *(opened_facts(inner, fresh) if inner else [])]


def implied(formula: Term, facts: Sequence[Term], fresh: Fresh) -> bool:
    """Does the formula follow from the facts, without any arithmetic?"""
    if formula == TRUE or formula in facts:
        return True
    match formula:
        case Apply(head="or", arguments=parts):
            return any(implied(part, facts, fresh) for part in parts)
        case Apply(head="and", arguments=parts):
            return all(implied(part, facts, fresh) for part in parts)
        case Exists(variables=variables, body=body):
            renamed, body = opened(variables, body, fresh)
            return witnesses(conjuncts(body), renamed, opened_facts(facts, fresh)) is not None
        case _:
            return False


def witnesses(patterns: Sequence[Term], variables: Sequence[Var], facts: Sequence[Term]) -> Binding | None:
    """Terms for the variables that turn every pattern into a fact; the variables occur in no fact."""
    tries = iter(range(WITNESS_STEPS))
    return _search(sorted(patterns, key=_vague), frozenset(variables), facts, {}, tries)


def _search(
    patterns: Sequence[Term], variables: frozenset[Var], facts: Sequence[Term], binding: Binding, tries: Iterator[int]
) -> Binding | None:
    if not patterns:
        return binding
    pattern, *rest = patterns
    current = substitute(pattern, binding)
    if current == TRUE or current in facts:
        return _search(rest, variables, facts, binding, tries)
    for fact in facts:
        if next(tries, None) is None:
            return None
        more = _match(current, fact, variables, {})
        found = None if more is None else _search(rest, variables, facts, {**binding, **more}, tries)
        if found is not None:
            return found
    return None


def matched(pattern: Term, fact: Term, variables: Sequence[Var]) -> Binding | None:
    """What the variables have to be for the pattern to be the fact."""
    return _match(pattern, fact, frozenset(variables), {})


def _match(pattern: Term, fact: Term, variables: frozenset[Var], binding: Binding) -> Binding | None:
    """The binding under which the pattern is the fact."""
    if pattern in variables:
        known = binding.get(pattern)
        if known is not None or pattern.sort is not fact.sort:
            return binding if known == fact else None
        return {**binding, pattern: fact}
    if not mentions(pattern, variables):
        return binding if pattern == fact else None
    if not isinstance(pattern, Apply) or not isinstance(fact, Apply) or pattern.head != fact.head:
        return None
    found: Binding | None = binding
    for part, other in zip(pattern.arguments, fact.arguments, strict=False):
        found = None if found is None else _match(part, other, variables, found)
    return found if len(pattern.arguments) == len(fact.arguments) else None


def _vague(pattern: Term) -> bool:
    """Patterns about streams first: they leave the least choice."""
    return not _has_stream(pattern)


@cached_on_term
def _has_stream(term: Term) -> bool:
    if isinstance(term, Apply) and isinstance(term.head, Symbol) and term.head.kind == "stream":
        return True
    return any(map(_has_stream, subterms(term)))
