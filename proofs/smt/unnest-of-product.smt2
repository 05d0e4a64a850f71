; unnest-of-product: υ_a(A × B) ≐ υ_a(A) × B, columns in another order
; steps: CONG, LIN, ONE
(set-logic ALL)
