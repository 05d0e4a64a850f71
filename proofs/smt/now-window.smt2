; now-window: ω_1(A) ≐ A
; steps: ABSORB, CONG, LIN, PIN
(set-logic ALL)
