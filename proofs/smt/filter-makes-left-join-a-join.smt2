; filter-makes-left-join-a-join: σ_q(A ⟕_θ B) ≐ σ_q(A ⋈_θ B), q over B, true of no row of NULLs
; steps: CONG, LIN
(set-logic ALL)
