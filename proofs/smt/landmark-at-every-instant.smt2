; landmark-at-every-instant: ω_[0,1](A) ≐ A
; steps: ABSORB, CONG, LIN, PIN
(set-logic ALL)
