; count-as-sum: α_{COUNT(*)}(A) ≐ α_{SUM(1)}(A)
; steps: CONG, LIN
(set-logic ALL)
