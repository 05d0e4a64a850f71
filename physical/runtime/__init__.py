"""A running graph of operators, whatever the algebra: whole streams, and sessions."""
