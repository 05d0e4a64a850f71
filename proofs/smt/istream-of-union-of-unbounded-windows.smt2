; istream-of-union-of-unbounded-windows: Istream(ω_∞(A) ∪ ω_∞(B)) ≐ A ∪ B
; steps: ABSORB, CONG, LIN, PART, PIN
(set-logic ALL)
(push 1)
(declare-const t Int)
(declare-const u.1 Int)
(assert (<= 0 t))
(assert (not (or (< (+ t (- 1)) u.1) (< u.1 0) (< t u.1) (<= 1 t))))
(check-sat) ; unsat
(pop 1)
(push 1)
(declare-const t Int)
(declare-const u.1 Int)
(assert (<= 0 t))
(assert (not (or (< t 1) (< u.1 0) (< (+ t (- 1)) u.1) (<= u.1 t))))
(check-sat) ; unsat
(pop 1)
