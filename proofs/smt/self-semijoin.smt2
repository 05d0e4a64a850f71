; self-semijoin: A ⋉_{x=x'} A ≐ A
; steps: ABSORB, CONG, LIN
(set-logic ALL)
(push 1)
(declare-datatypes ((NullableInt 0)) (((null_Int) (some_Int (get_Int Int)))))
(declare-datatypes ((NullableReal 0)) (((null_Real) (some_Real (get_Real Real)))))
(declare-fun |any stream A| (NullableInt NullableReal Int) Int)
(define-fun |stream A| ((x0 NullableInt) (x1 NullableReal) (x2 Int)) Int (ite (and (<= 0 x2) (<= 0 (|any stream A| x0 x1 x2)) (not ((_ is null_Int) x0))) (|any stream A| x0 x1 x2) 0))
(declare-const e.1 NullableInt)
(declare-const e.2 NullableReal)
(declare-const t Int)
(assert (<= 0 t))
(assert (not (= (+ (* (ite (not ((_ is null_Int) e.1)) 1 0) (|stream A| e.1 e.2 t)) (* (- 1) (|stream A| e.1 e.2 t))) 0)))
(check-sat) ; unsat
(pop 1)
