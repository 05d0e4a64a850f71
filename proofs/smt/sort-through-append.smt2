; sort-through-append: sort_K(A ⧺ B) is sort_K(A) ⧺ sort_K(B), as multisets
; steps: ABSORB, CONG, LIN
(set-logic ALL)
