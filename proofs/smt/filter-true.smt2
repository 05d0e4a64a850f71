; filter-true: σ_TRUE(A) ≐ A
; steps: CONG, LIN
(set-logic ALL)
