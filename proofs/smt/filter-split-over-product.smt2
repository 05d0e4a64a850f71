; filter-split-over-product: σ_{p ∧ q}(A × B) ≐ σ_p(A) × σ_q(B), p over A, q over B
; steps: CONG, LIN
(set-logic ALL)
