; distinct-below-distinct-window: δ(ω_w(δ(A))) ≐ δ(ω_w(A))
; steps: CONG, LIN
(set-logic ALL)
