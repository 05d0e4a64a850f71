; product-over-union: (A ∪ B) × C ≐ (A × C) ∪ (B × C)
; steps: CONG, LIN
(set-logic ALL)
