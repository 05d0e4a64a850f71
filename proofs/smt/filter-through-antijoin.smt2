; filter-through-antijoin: σ_p(A ▷_θ B) ≐ σ_p(A) ▷_θ B
; steps: CONG, LIN
(set-logic ALL)
(push 1)
(declare-datatypes ((NullableBool 0)) (((null_Bool) (some_Bool (get_Bool Bool)))))
(declare-datatypes ((NullableReal 0)) (((null_Real) (some_Real (get_Real Real)))))
(declare-fun |any stream A| (NullableReal NullableReal Int) Int)
(define-fun |stream A| ((x0 NullableReal) (x1 NullableReal) (x2 Int)) Int (ite (and (<= 0 x2) (<= 0 (|any stream A| x0 x1 x2))) (|any stream A| x0 x1 x2) 0))
(declare-fun |function p| (NullableReal NullableReal) NullableBool)
(declare-fun |exists k.3| () Bool)
(declare-const e.1 NullableReal)
(declare-const e.2 NullableReal)
(declare-const t Int)
(assert (<= 0 t))
(assert (not (= (+ (* (ite (and (not ((_ is null_Bool) (|function p| e.1 e.2))) (get_Bool (|function p| e.1 e.2)) (not |exists k.3|)) 1 0) (|stream A| e.1 e.2 t)) (* (- 1) (ite (and (not |exists k.3|) (not ((_ is null_Bool) (|function p| e.1 e.2))) (get_Bool (|function p| e.1 e.2))) 1 0) (|stream A| e.1 e.2 t))) 0)))
(check-sat) ; unsat
(pop 1)
