; unnest-of-union: υ_a(A ∪ B) ≐ υ_a(A) ∪ υ_a(B)
; steps: CONG, LIN
(set-logic ALL)
