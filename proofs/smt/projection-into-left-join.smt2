; projection-into-left-join: π_{M ∪ B}(A ⟕_θ B) ≐ π_M(A) ⟕_θ B, θ within M and B
; steps: CONG, LIN, ONE
(set-logic ALL)
