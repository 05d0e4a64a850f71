; left-join-on-a-key-is-lossless: π_A(A ⟕_{x=y} B) ≐ A
; steps: ABSORB, CONG, LIN, ONE
(set-logic ALL)
(push 1)
(declare-datatypes ((NullableInt 0)) (((null_Int) (some_Int (get_Int Int)))))
(declare-fun |any stream A| (NullableInt NullableInt Int) Int)
(define-fun |stream A| ((x0 NullableInt) (x1 NullableInt) (x2 Int)) Int (ite (and (<= 0 x2) (<= 0 (|any stream A| x0 x1 x2))) (|any stream A| x0 x1 x2) 0))
(declare-fun |there B by (0,)| (NullableInt Int) Bool)
(declare-const e.1 NullableInt)
(declare-const e.2 NullableInt)
(declare-const t Int)
(assert (<= 0 t))
(assert (not (= (+ (* (ite (and (not ((_ is null_Int) e.1)) (|there B by (0,)| e.1 t)) 1 0) (|stream A| e.1 e.2 t)) (* (ite (or ((_ is null_Int) e.1) (< t 0) (not (|there B by (0,)| e.1 t))) 1 0) (|stream A| e.1 e.2 t)) (* (- 1) (|stream A| e.1 e.2 t))) 0)))
(check-sat) ; unsat
(pop 1)
