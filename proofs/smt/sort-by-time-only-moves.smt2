; sort-by-time-only-moves: sort_start(A) is A, as multisets
; steps: ABSORB, CONG, LIN
(set-logic ALL)
