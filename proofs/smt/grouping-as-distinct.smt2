; grouping-as-distinct: γ_G(A) without aggregates ≐ δ(π_G(A))
; steps: CONG, LIN
(set-logic ALL)
