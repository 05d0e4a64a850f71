; count-distinct-as-count: γ_{G; COUNT(DISTINCT x)}(A) ≐ γ_{G; COUNT(x)}(δ(π_{G,x}(A)))
; steps: CONG, LIN, NOT NULL, ONE
(set-logic ALL)
