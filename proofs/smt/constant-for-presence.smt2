; constant-for-presence: δ(μ_c(A)) ≐ μ_c(α_{COUNT(*)}(A)): is anything there?
; steps: CONG, LIN, NOT NULL, ONE
(set-logic ALL)
