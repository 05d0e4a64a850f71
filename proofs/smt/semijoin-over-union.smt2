; semijoin-over-union: (A ∪ B) ⋉_θ C ≐ (A ⋉_θ C) ∪ (B ⋉_θ C)
; steps: CONG, LIN
(set-logic ALL)
