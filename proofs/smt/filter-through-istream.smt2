; filter-through-istream: Istream(σ_p(A)) ≐ σ_p(Istream(A))
; steps: CONG, LIN
(set-logic ALL)
