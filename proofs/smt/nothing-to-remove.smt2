; nothing-to-remove: δ(A) ≐ A
; steps: ABSORB, CONG, LIN
(set-logic ALL)
