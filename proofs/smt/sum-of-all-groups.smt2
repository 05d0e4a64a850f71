; sum-of-all-groups: α_{SUM(x)}(A) ≐ α_{SUM(s)}(γ_{G; s=SUM(x)}(A)), over integers
; steps: ABSORB, CONG, LIN, ONE
(set-logic ALL)
