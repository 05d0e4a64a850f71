; grouped-sum-of-a-part: γ_{G; SUM(x)}(A ∪ B) ≐ γ_{G; SUM(s)}(A ∪ γ_{G; s=SUM(x)}(B)), over integers: one part aggregated early
; steps: ABSORB, CONG, LIN, NOT NULL, ONE
(set-logic ALL)
