; distinct-through-limit-of-values: δ(λ_n≡(A)) ≐ λ_n≡(δ(A))
; steps: CONG, LIN
(set-logic ALL)
