; map-through-product: μ_{f,g}(A × B) ≐ μ_f(A) × μ_g(B), f over A, g over B
; steps: CONG, LIN
(set-logic ALL)
