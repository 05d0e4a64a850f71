; sort-by-time-through-split: split_l(sort_start(A)) is sort_start(split_l(A)), as multisets
; steps: CONG, LIN
(set-logic ALL)
