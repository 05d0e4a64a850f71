; conjunction-as-intersection: σ_{p ∧ q}(A) ≐ σ_p(A) ∩ σ_q(A)
; steps: CONG, LIN
(set-logic ALL)
