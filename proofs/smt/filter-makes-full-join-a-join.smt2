; filter-makes-full-join-a-join: σ_{p ∧ q}(A ⟗_θ B) ≐ σ_{p ∧ q}(A ⋈_θ B), p over A and q over B, true of no row of NULLs
; steps: CONG, LIN
(set-logic ALL)
