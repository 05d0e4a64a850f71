; distinct-into-union: δ(A ∪ B) ≐ δ(δ(A) ∪ δ(B))
; steps: CONG, LIN
(set-logic ALL)
