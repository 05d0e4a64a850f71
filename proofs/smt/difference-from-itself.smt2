; difference-from-itself: B ∪ (A − A) ≐ B
; steps: CONG, LIN
(set-logic ALL)
