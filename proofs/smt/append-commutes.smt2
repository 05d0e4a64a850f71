; append-commutes: A ⧺ B is B ⧺ A, as multisets
; steps: ABSORB, CONG, LIN
(set-logic ALL)
