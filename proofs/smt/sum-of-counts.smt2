; sum-of-counts: γ_{G; COUNT(x)}(A) ≐ γ_{G; SUM(n)}(γ_{H; n=COUNT(x)}(A)), G ⊆ H
; steps: ABSORB, CONG, LIN, NOT NULL, ONE
(set-logic ALL)
