; count-of-a-product: α_{COUNT(*)}(A × B) ≐ μ_{n·m}(α_{n=COUNT(*)}(A) × α_{m=COUNT(*)}(B))
; steps: CONG, LIN, NOT NULL, ONE
(set-logic ALL)
