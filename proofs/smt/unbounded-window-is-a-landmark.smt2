; unbounded-window-is-a-landmark: ω_∞(A) ≐ ω_[0](A)
; steps: ABSORB, CONG, LIN
(set-logic ALL)
