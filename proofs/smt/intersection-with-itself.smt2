; intersection-with-itself: A ∩ A ≐ A
; steps: CONG, LIN
(set-logic ALL)
