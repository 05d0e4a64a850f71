; union-commutes: A ∪ B ≐ B ∪ A
; steps: CONG, LIN
(set-logic ALL)
