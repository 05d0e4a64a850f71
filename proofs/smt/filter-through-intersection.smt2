; filter-through-intersection: σ_p(A ∩ B) ≐ σ_p(A) ∩ σ_p(B)
; steps: CONG, LIN
(set-logic ALL)
