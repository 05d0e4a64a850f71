; keyed-rows-are-distinct: δ(A) ≐ A
; steps: ABSORB, CONG, LIN
(set-logic ALL)
