; projection-on-everything: π_{all columns}(A) ≐ A
; steps: CONG, LIN, ONE
(set-logic ALL)
