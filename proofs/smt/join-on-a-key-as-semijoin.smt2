; join-on-a-key-as-semijoin: π_A(A ⋈_{x=y} B) ≐ A ⋉_{x=y} B
; steps: ABSORB, CONG, LIN, ONE
(set-logic ALL)
