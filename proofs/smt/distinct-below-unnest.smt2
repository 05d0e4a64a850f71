; distinct-below-unnest: δ(υ_a(A)) ≐ δ(υ_a(δ(A)))
; steps: CONG, LIN
(set-logic ALL)
