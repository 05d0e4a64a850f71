; what-meets-in-the-streams-meets-in-the-windows: δ(ω_w(A ∩ B)) ∩ δ(ω_w(A) ∩ ω_w(B)) ≐ δ(ω_w(A ∩ B))
; steps: CONG, LIN
(set-logic ALL)
