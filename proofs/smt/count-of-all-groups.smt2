; count-of-all-groups: α_{COUNT(x)}(A) ≐ α_{SUM(n)}(γ_{G; n=COUNT(x)}(A))
; steps: ABSORB, CONG, LIN, NOT NULL, ONE
(set-logic ALL)
