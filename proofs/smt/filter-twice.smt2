; filter-twice: σ_p(σ_p(A)) ≐ σ_p(A)
; steps: CONG, LIN
(set-logic ALL)
