; extension-through-intersection: μ_{A,f}(A ∩ B) ≐ μ_{A,f}(A) ∩ μ_{A,f}(B)
; steps: CONG, LIN, ONE, PART
(set-logic ALL)
