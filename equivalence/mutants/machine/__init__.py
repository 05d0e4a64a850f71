"""Mutants that a machine makes from source code: small changes of syntax that nobody chose because a check sees them."""
