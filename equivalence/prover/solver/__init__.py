"""The two solvers, z3 and cvc5, behind one interface."""
