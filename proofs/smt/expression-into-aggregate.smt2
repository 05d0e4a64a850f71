; expression-into-aggregate: α_f(μ_e(A)) ≐ α_{f∘e}(A)
; steps: CONG, LIN, ONE
(set-logic ALL)
