; sum-of-counts-of-rows: γ_{G; COUNT(*)}(A) ≐ γ_{G; SUM(n)}(γ_{H; n=COUNT(*)}(A)), G ⊆ H
; steps: ABSORB, CONG, LIN, NOT NULL, ONE
(set-logic ALL)
