; difference-stays-keyed: δ(A − B) ≐ A − B
; steps: ABSORB, CONG, LIN
(set-logic ALL)
