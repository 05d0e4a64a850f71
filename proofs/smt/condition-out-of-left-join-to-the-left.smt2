; condition-out-of-left-join-to-the-left: A ⟕_{θ ∧ p} B ≐ (σ_p(A) ⟕_θ B) ∪ (σ_{p is not TRUE}(A) with NULLs), p over A
; steps: CONG, LIN, ONE
(set-logic ALL)
(push 1)
(declare-datatypes ((NullableBool 0)) (((null_Bool) (some_Bool (get_Bool Bool)))))
(declare-datatypes ((NullableReal 0)) (((null_Real) (some_Real (get_Real Real)))))
(declare-fun |any stream A| (NullableReal NullableReal Int) Int)
(define-fun |stream A| ((x0 NullableReal) (x1 NullableReal) (x2 Int)) Int (ite (and (<= 0 x2) (<= 0 (|any stream A| x0 x1 x2))) (|any stream A| x0 x1 x2) 0))
(declare-fun |function p| (NullableReal NullableReal) NullableBool)
(declare-fun |exists k.5| () Bool)
(declare-const e.1 NullableReal)
(declare-const e.2 NullableReal)
(declare-const e.3 NullableReal)
(declare-const e.4 NullableReal)
(declare-const t Int)
(assert (<= 0 t))
(assert (not (= (+ (* (ite (and ((_ is null_Real) e.1) ((_ is null_Real) e.2) (or ((_ is null_Bool) (|function p| e.3 e.4)) (not (get_Bool (|function p| e.3 e.4))) (not |exists k.5|))) 1 0) (|stream A| e.3 e.4 t)) (* (- 1) (ite (and ((_ is null_Real) e.1) ((_ is null_Real) e.2) (not |exists k.5|) (not ((_ is null_Bool) (|function p| e.3 e.4))) (get_Bool (|function p| e.3 e.4))) 1 0) (|stream A| e.3 e.4 t)) (* (- 1) (ite (and ((_ is null_Real) e.1) ((_ is null_Real) e.2) (or ((_ is null_Bool) (|function p| e.3 e.4)) (not (get_Bool (|function p| e.3 e.4))))) 1 0) (|stream A| e.3 e.4 t))) 0)))
(check-sat) ; unsat
(pop 1)
