"""A running graph of operators of any algebra: for whole streams, and for sessions."""
