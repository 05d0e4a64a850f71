; filter-through-unnest: σ_p(υ_a(A)) ≐ υ_a(σ_p(A)) where p is about A
; steps: CONG, LIN
(set-logic ALL)
