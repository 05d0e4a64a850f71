; the-last-sort-by-everything-counts: sort_K(sort_L(A)) is sort_K(A), as lists, where K is everything
; steps: ABSORB, CONG, LIN
(set-logic ALL)
