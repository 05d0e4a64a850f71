; distinct-through-antijoin: δ(A ▷_θ B) ≐ δ(A) ▷_θ B
; steps: CONG, LIN
(set-logic ALL)
