; filter-through-unnest: σ_p(υ_a(A)) ≐ υ_a(σ_p(A)) where p is about A
; steps: CONG, LIN
(set-logic ALL)
(push 1)
(declare-datatypes ((NullableInt 0)) (((null_Int) (some_Int (get_Int Int)))))
(declare-datatypes ((NullableBool 0)) (((null_Bool) (some_Bool (get_Bool Bool)))))
(declare-datatypes ((NullableReal 0)) (((null_Real) (some_Real (get_Real Real)))))
(declare-fun |any stream A| (NullableReal NullableInt Int) Int)
(define-fun |stream A| ((x0 NullableReal) (x1 NullableInt) (x2 Int)) Int (ite (and (<= 0 x2) (<= 0 (|any stream A| x0 x1 x2))) (|any stream A| x0 x1 x2) 0))
(declare-fun |function p| (NullableReal NullableInt) NullableBool)
(declare-fun |counted in array<int>| (NullableReal NullableInt) Int)
(declare-const e.1 NullableReal)
(declare-const e.2 NullableInt)
(declare-const e.3 NullableInt)
(declare-const t Int)
(assert (<= 0 t))
(assert (not (= (+ (* (ite (and (not ((_ is null_Bool) (|function p| e.1 e.2))) (get_Bool (|function p| e.1 e.2)) (not ((_ is null_Real) e.1))) 1 0) (ite (<= 0 (|counted in array<int>| e.1 e.3)) (- (|counted in array<int>| e.1 e.3) 0) 0) (|stream A| e.1 e.2 t)) (* (- 1) (ite (and (not ((_ is null_Real) e.1)) (not ((_ is null_Bool) (|function p| e.1 e.2))) (get_Bool (|function p| e.1 e.2))) 1 0) (ite (<= 0 (|counted in array<int>| e.1 e.3)) (- (|counted in array<int>| e.1 e.3) 0) 0) (|stream A| e.1 e.2 t))) 0)))
(check-sat) ; unsat
(pop 1)
