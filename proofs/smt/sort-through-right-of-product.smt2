; sort-through-right-of-product: A × sort_K(B) is sort_K(A × B), as multisets, where K is of B
; steps: CONG, LIN
(set-logic ALL)
