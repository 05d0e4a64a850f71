; smaller-window-is-contained: ω_v(A) ∩ ω_w(A) ≐ ω_v(A) where v ≤ w
; steps: CONG, LIN, PART
(set-logic ALL)
(push 1)
(declare-const t Int)
(declare-const u.1 Int)
(declare-const |number v| Int)
(declare-const |number w| Int)
(assert (<= 0 t))
(assert (<= 1 |number v|))
(assert (<= 1 |number w|))
(assert (<= |number v| |number w|))
(assert (not (or (< u.1 0) (< t u.1) (<= u.1 (+ t (* (- 1) |number v|))) (< (+ t (* (- 1) |number w|)) u.1))))
(check-sat) ; unsat
(pop 1)
