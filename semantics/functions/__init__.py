"""The built-in functions: one table says what each is called, takes, gives and means.

Everything else asks the table: SQL, the notation, the builder, the reference, the engines, the prover, the generators
and the documentation.
"""
