; rdup-t-loses-nothing: rdupT(A) is A, as sets at every instant
; steps: CONG, LIN
(set-logic ALL)
