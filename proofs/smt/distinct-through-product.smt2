; distinct-through-product: δ(A × B) ≐ δ(A) × δ(B)
; steps: CONG, LIN
(set-logic ALL)
