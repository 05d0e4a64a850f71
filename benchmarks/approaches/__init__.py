"""Intervals and signed elements side by side: queries, what flows along edges, what is held, when results are out."""
