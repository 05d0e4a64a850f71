; istream-of-rstream: Istream(Rstream(A)) ≐ Istream(A)
; steps: CONG, LIN
(set-logic ALL)
