; distinct-through-join: δ(A ⋈_θ B) ≐ δ(A) ⋈_θ δ(B)
; steps: CONG, LIN
(set-logic ALL)
