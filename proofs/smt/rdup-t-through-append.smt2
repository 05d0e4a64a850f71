; rdup-t-through-append: rdupT(A) ⧺ rdupT(B) is rdupT(A ⧺ B), as sets at every instant
; steps: CONG, LIN
(set-logic ALL)
