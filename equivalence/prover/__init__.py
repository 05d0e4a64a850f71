"""The proof kernel: plans as multiplicity terms with unbounded finite sums, a few steps on them, and SMT leaves.

Soundness rests on the modules here, in this order: `terms` (what a term is), `translate` with `expressions` and
`aggregates` (what a plan means as a term), `steps` (what may be rewritten, each with the reason why), `kernel` (how
an equality becomes leaves) and `smtlib` (how a leaf is written down). The rest only looks for counterexamples, which
are replayed, or states rules.
"""
