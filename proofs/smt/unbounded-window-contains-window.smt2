; unbounded-window-contains-window: ω_w(A) ∩ ω_∞(A) ≐ ω_w(A)
; steps: CONG, LIN, PART
(set-logic ALL)
