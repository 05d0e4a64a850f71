; window-met-with-itself: π_a(ω_w(A) ⋉_{a=a} ω_w(A)) ≐ σ_{a is not NULL}(ω_w(A))
; steps: ABSORB, CONG, LIN
(set-logic ALL)
