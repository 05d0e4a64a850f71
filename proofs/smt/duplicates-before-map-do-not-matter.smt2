; duplicates-before-map-do-not-matter: δ(μ_f(A)) ≐ δ(μ_f(δ(A)))
; steps: CONG, LIN
(set-logic ALL)
