"""Who agrees with whom: checkers, generators, verdicts with evidence."""
