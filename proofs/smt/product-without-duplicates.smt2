; product-without-duplicates: δ(A × B) ≐ A × B
; steps: ABSORB, CONG, LIN
(set-logic ALL)
