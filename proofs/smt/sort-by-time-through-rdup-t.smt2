; sort-by-time-through-rdup-t: rdupT(sort_start(A)) is sort_start(rdupT(A)), as multisets at every instant
; steps: CONG, LIN
(set-logic ALL)
