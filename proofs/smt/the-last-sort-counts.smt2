; the-last-sort-counts: sort_K(sort_L(A)) is sort_K(A), as multisets
; steps: ABSORB, CONG, LIN
(set-logic ALL)
