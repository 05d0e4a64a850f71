; key-columns-are-distinct: δ(π_x(A)) ≐ π_x(A)
; steps: ABSORB, CONG, LIN, ONE
(set-logic ALL)
