; condition-out-of-join: A ⋈_{θ ∧ p} B ≐ σ_p(A) ⋈_θ B, p over A
; steps: CONG, LIN
(set-logic ALL)
