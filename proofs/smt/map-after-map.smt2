; map-after-map: μ_g(μ_f(A)) ≐ μ_{g∘f}(A)
; steps: CONG, LIN, ONE
(set-logic ALL)
