; join-keeps-the-key: δ(π_A(A ⋈_{p=y} B)) ≐ π_A(A ⋈_{p=y} B): A's key stays one
; steps: ABSORB, CONG, LIN, ONE
(set-logic ALL)
