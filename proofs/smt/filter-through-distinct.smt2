; filter-through-distinct: σ_p(δ(A)) ≐ δ(σ_p(A))
; steps: CONG, LIN
(set-logic ALL)
