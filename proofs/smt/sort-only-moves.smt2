; sort-only-moves: sort_K(A) is A, as multisets
; steps: ABSORB, CONG, LIN
(set-logic ALL)
