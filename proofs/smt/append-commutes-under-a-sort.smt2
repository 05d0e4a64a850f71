; append-commutes-under-a-sort: sort_K(A ⧺ B) is sort_K(B ⧺ A), as lists, where K is everything
; steps: ABSORB, CONG, LIN
(set-logic ALL)
