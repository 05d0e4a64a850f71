; rstream-is-the-identity: Rstream(A) ≐ A
; steps: CONG, LIN
(set-logic ALL)
