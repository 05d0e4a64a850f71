; semijoin-over-difference: (A − B) ⋉_θ C ≐ (A ⋉_θ C) − B
; steps: CONG, LIN
(set-logic ALL)
