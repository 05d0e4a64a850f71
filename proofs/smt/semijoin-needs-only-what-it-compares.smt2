; semijoin-needs-only-what-it-compares: A ⋉_θ B ≐ A ⋉_θ π_M(B), θ within A and M
; steps: CONG, LIN
(set-logic ALL)
