; extension-through-distinct: δ(μ_{A,f}(A)) ≐ μ_{A,f}(δ(A)): a map that keeps all columns is injective
; steps: CONG, LIN, ONE
(set-logic ALL)
