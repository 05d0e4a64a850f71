; sum-of-a-sum: γ_{G; SUM(x+y)}(A) ≐ μ_{G, s+t}(γ_{G; s=SUM(x), t=SUM(y)}(A)), over integers
; steps: CONG, LIN, NOT NULL, ONE
(set-logic ALL)
