; first-of-each-row-is-distinct: λ_{1,P}(A) ≐ δ(A) where P are all columns
; steps: CONG, LIN
(set-logic ALL)
