; rdup-loses-nothing: rdup(A) is A, as sets
; steps: ABSORB, CONG, LIN
(set-logic ALL)
