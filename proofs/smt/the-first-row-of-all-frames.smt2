; the-first-row-of-all-frames: κ_{first(x) over ROWS UNBOUNDED,P}(A) ≐ κ_{first(x) over RANGE UNBOUNDED,P}(A)
; steps: CONG, LIN
(set-logic ALL)
