; distinct-through-semijoin: δ(A ⋉_θ B) ≐ δ(A) ⋉_θ B
; steps: CONG, LIN
(set-logic ALL)
