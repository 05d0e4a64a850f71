; rdup-through-append: rdup(A) ⧺ rdup(B) is rdup(A ⧺ B), as sets
; steps: CONG, LIN
(set-logic ALL)
