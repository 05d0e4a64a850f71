; aggregate-without-duplicates: γ_{G;f}(A) ≐ γ_{G;f}(δ(A))
; steps: ABSORB, CONG, LIN
(set-logic ALL)
