; coalesce-through-product: coalesce(A) × coalesce(B) is coalesce(A × B), as multisets at every instant
; steps: CONG, LIN
(set-logic ALL)
