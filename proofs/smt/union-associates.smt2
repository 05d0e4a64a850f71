; union-associates: (A ∪ B) ∪ C ≐ A ∪ (B ∪ C)
; steps: CONG, LIN
(set-logic ALL)
