; filter-unknown: B ∪ σ_NULL(A) ≐ B
; steps: CONG, LIN
(set-logic ALL)
