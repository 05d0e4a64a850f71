; delay-through-difference: (A − B)[k] ≐ A[k] − B[k]
; steps: CONG, LIN, PART, PIN
(set-logic ALL)
(push 1)
(declare-const t Int)
(declare-const u.1 Int)
(declare-const |number k| Int)
(assert (<= 0 t))
(assert (<= 1 |number k|))
(assert (not (or (< u.1 0) (< t u.1) (<= u.1 (+ t (* (- 1) |number k|))) (< (+ t (* (- 1) (+ |number k| 1))) u.1))))
(check-sat) ; unsat
(pop 1)
