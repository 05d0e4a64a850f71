; projection-into-join: π_L(A ⋈_θ B) ≐ π_L(π_M(A) ⋈_θ B), L and θ within M and B
; steps: CONG, LIN, ONE
(set-logic ALL)
