"""A counterexample as a link into the playground, where its timeline can be changed.

Where the playground is, only users know: SNAPEQ_PLAYGROUND holds its address.
"""

import json
import os
from urllib.parse import urlencode

from equivalence.verdicts.counterexample import Counterexample
from semantics import show
from semantics.constraint import elements_of
from semantics.notation.json_values import exact_element

MOST_CHARACTERS = 8_000
"""A longer address is cut off or refused on its way."""


def playground_link(found: Counterexample) -> str | None:
    """The link; None if nobody says where the playground is, or if the case is too large for one.

    >>> from unittest.mock import patch
    >>> from equivalence import check_plans
    >>> from semantics import source
    >>> s = source("S", x=int)
    >>> found = check_plans(s, s.distinct()).counterexample
    >>> with patch.dict(os.environ, {"SNAPEQ_PLAYGROUND": "play/index.html"}):
    ...     playground_link(found)
    'play/index.html#q0=S%28x+int%29&q1=S%28x+int%29+%7C+distinct&events=%7B%22S%22%3A+%5B%5B0%2C+0%2C+1%5D%2C+%5B0%2C+0%2C+1%5D%5D%7D&at=0&wrong=0'
    """
    address = os.environ.get("SNAPEQ_PLAYGROUND")
    if not address:
        return None
    events = {name: [exact_element(*element) for element in elements_of(s)] for name, s in found.streams.items()}
    queries = {f"q{number}": show(plan) for number, plan in enumerate(found.plans)}
    behind = urlencode({**queries, "events": json.dumps(events), "at": found.instant, "wrong": found.instant})
    link = f"{address}#{behind}"
    return link if len(link) <= MOST_CHARACTERS else None
