; projection-after-projection: π_L(π_M(A)) ≐ π_L(A), L ⊆ M
; steps: CONG, LIN, ONE
(set-logic ALL)
