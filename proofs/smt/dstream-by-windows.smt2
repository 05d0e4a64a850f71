; dstream-by-windows: Dstream(A) ≐ A[1] − A
; steps: CONG, LIN, PART, PIN
(set-logic ALL)
(push 1)
(declare-const t Int)
(declare-const u.1 Int)
(assert (<= 0 t))
(assert (not (or (< u.1 0) (< t u.1) (<= u.1 (+ t (- 1))) (< (+ t (- 2)) u.1))))
(check-sat) ; unsat
(pop 1)
(push 1)
(declare-datatypes ((NullableReal 0)) (((null_Real) (some_Real (get_Real Real)))))
(declare-fun |any stream A| (NullableReal NullableReal Int) Int)
(define-fun |stream A| ((x0 NullableReal) (x1 NullableReal) (x2 Int)) Int (ite (and (<= 0 x2) (<= 0 (|any stream A| x0 x1 x2))) (|any stream A| x0 x1 x2) 0))
(declare-const e.1 NullableReal)
(declare-const e.2 NullableReal)
(declare-const t Int)
(assert (<= 0 t))
(assert (not (= (+ (* (ite (<= 1 t) 1 0) (ite (<= (|stream A| e.1 e.2 t) (|stream A| e.1 e.2 (+ t (- 1)))) (- (|stream A| e.1 e.2 (+ t (- 1))) (|stream A| e.1 e.2 t)) 0)) (* (- 1) (ite (<= 0 (+ t (- 1))) 1 0) (ite (<= (|stream A| e.1 e.2 t) (|stream A| e.1 e.2 (+ t (- 1)))) (- (|stream A| e.1 e.2 (+ t (- 1))) (|stream A| e.1 e.2 t)) 0))) 0)))
(check-sat) ; unsat
(pop 1)
