; semijoin-twice: (A ⋉_θ B) ⋉_θ B ≐ A ⋉_θ B
; steps: CONG, LIN
(set-logic ALL)
