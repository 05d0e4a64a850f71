; coalesce-below-rdup-t: rdupT(coalesce(A)) is rdupT(A), as multisets at every instant
; steps: CONG, LIN
(set-logic ALL)
