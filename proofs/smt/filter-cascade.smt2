; filter-cascade: σ_p(σ_q(A)) ≐ σ_{p ∧ q}(A)
; steps: CONG, LIN
(set-logic ALL)
