; aggregate-of-everything-twice: α_f(A ∪ A) ≐ α_f(A), f one of MIN, MAX, COUNT DISTINCT, AVG
; steps: CONG, LIN
(set-logic ALL)
