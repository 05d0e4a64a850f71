; coalesce-only-joins: coalesce_l(A) is A, as multisets at every instant
; steps: CONG, LIN
(set-logic ALL)
