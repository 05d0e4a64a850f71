; distinct-twice: δ(δ(A)) ≐ δ(A)
; steps: CONG, LIN
(set-logic ALL)
