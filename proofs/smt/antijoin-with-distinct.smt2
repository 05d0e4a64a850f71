; antijoin-with-distinct: A ▷_θ B ≐ A ▷_θ δ(B)
; steps: CONG, LIN
(set-logic ALL)
