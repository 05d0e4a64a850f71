; filter-through-product: σ_p(A × B) ≐ σ_p(A) × B, p over A
; steps: CONG, LIN
(set-logic ALL)
