; antijoin-as-left-join: A ▷_θ B ≐ π_A(σ_{y is NULL}(A ⟕_θ B)), θ true of no NULL y
; steps: CONG, LIN, ONE
(set-logic ALL)
