; top-one: γ_{G; TOP-1(x)}(A) ≐ γ_{G; MAX(x)}(A)
; steps: CONG, LIN
(set-logic ALL)
