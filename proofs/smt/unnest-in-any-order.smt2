; unnest-in-any-order: υ_b(υ_a(A)) ≐ υ_a(υ_b(A)), columns in another order
; steps: CONG, LIN, ONE
(set-logic ALL)
(push 1)
(declare-datatypes ((NullableInt 0)) (((null_Int) (some_Int (get_Int Int)))))
(declare-datatypes ((NullableReal 0)) (((null_Real) (some_Real (get_Real Real)))))
(declare-fun |any stream A| (NullableReal NullableReal Int) Int)
(define-fun |stream A| ((x0 NullableReal) (x1 NullableReal) (x2 Int)) Int (ite (and (<= 0 x2) (<= 0 (|any stream A| x0 x1 x2))) (|any stream A| x0 x1 x2) 0))
(declare-fun |counted in array<int>| (NullableReal NullableInt) Int)
(declare-const e.1 NullableReal)
(declare-const e.2 NullableReal)
(declare-const e.3 NullableInt)
(declare-const e.4 NullableInt)
(declare-const t Int)
(assert (<= 0 t))
(assert (not (= (+ (* (ite (and (not ((_ is null_Real) e.1)) (not ((_ is null_Real) e.2))) 1 0) (ite (<= 0 (|counted in array<int>| e.1 e.3)) (- (|counted in array<int>| e.1 e.3) 0) 0) (ite (<= 0 (|counted in array<int>| e.2 e.4)) (- (|counted in array<int>| e.2 e.4) 0) 0) (|stream A| e.2 e.1 t)) (* (- 1) (ite (and (not ((_ is null_Real) e.2)) (not ((_ is null_Real) e.1))) 1 0) (ite (<= 0 (|counted in array<int>| e.2 e.4)) (- (|counted in array<int>| e.2 e.4) 0) 0) (ite (<= 0 (|counted in array<int>| e.1 e.3)) (- (|counted in array<int>| e.1 e.3) 0) 0) (|stream A| e.2 e.1 t))) 0)))
(check-sat) ; unsat
(pop 1)
