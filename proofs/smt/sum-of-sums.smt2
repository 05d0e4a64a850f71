; sum-of-sums: γ_{G; SUM(x)}(A) ≐ γ_{G; SUM(s)}(γ_{H; s=SUM(x)}(A)), G ⊆ H, over integers
; steps: ABSORB, CONG, LIN, ONE
(set-logic ALL)
