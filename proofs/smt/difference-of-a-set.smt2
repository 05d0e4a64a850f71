; difference-of-a-set: A − B ≐ A − δ(B)
; steps: ABSORB, CONG, LIN
(set-logic ALL)
