; sample-through-distinct: ω_{1,s}(δ(A)) ≐ δ(ω_{1,s}(A))
; steps: CONG, LIN, PIN
(set-logic ALL)
