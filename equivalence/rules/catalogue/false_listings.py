"""Tempting claims about lists: every rule about them with the next stronger equivalences, none of which it keeps."""

from typing import Final

from equivalence.lists.equivalences import stronger
from equivalence.rules.catalogue import listing_duplicates, listing_intervals, listing_order
from equivalence.rules.statement import Rule

FALSE: Final[tuple[Rule, ...]] = tuple(
    rule.claiming(equivalence)
    for family in (listing_order, listing_duplicates, listing_intervals)
    for rule in family.RULES
    for equivalence in stronger(rule.equivalence)
)
