; map-through-union: μ_f(A ∪ B) ≐ μ_f(A) ∪ μ_f(B)
; steps: CONG, LIN
(set-logic ALL)
