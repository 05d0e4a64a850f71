; coalesce-below-projection: coalesce(π_K(coalesce(A))) is coalesce(π_K(A)), as multisets at every instant
; steps: CONG, LIN, ONE
(set-logic ALL)
