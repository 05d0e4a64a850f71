"""Cases that know the question: values, times and counts at and around what the plans in question speak of.

Free cases find what differs on small numbers. A window of 600 instants, `price > 10000` or `COUNT(*) >= 50` differ from
their neighbours only near these numbers, so a directed case is drawn around them.
"""
