; condition-out-of-semijoin-to-the-right: A ⋉_{θ ∧ q} B ≐ A ⋉_θ σ_q(B), q over B
; steps: CONG, LIN
(set-logic ALL)
