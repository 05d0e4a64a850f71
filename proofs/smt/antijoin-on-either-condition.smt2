; antijoin-on-either-condition: A ▷_{θ ∨ φ} B ≐ (A ▷_θ B) ▷_φ B
; steps: CONG, LIN
(set-logic ALL)
(push 1)
(declare-datatypes ((NullableBool 0)) (((null_Bool) (some_Bool (get_Bool Bool)))))
(declare-datatypes ((NullableReal 0)) (((null_Real) (some_Real (get_Real Real)))))
(declare-fun |any stream B| (NullableReal NullableReal Int) Int)
(define-fun |stream B| ((x0 NullableReal) (x1 NullableReal) (x2 Int)) Int (ite (and (<= 0 x2) (<= 0 (|any stream B| x0 x1 x2))) (|any stream B| x0 x1 x2) 0))
(declare-fun |any stream A| (NullableReal NullableReal Int) Int)
(define-fun |stream A| ((x0 NullableReal) (x1 NullableReal) (x2 Int)) Int (ite (and (<= 0 x2) (<= 0 (|any stream A| x0 x1 x2))) (|any stream A| x0 x1 x2) 0))
(declare-fun |function θ| (NullableReal NullableReal NullableReal NullableReal) NullableBool)
(declare-fun |function φ| (NullableReal NullableReal NullableReal NullableReal) NullableBool)
(declare-const e.3 NullableReal)
(declare-const e.4 NullableReal)
(declare-const t Int)
(assert (<= 0 t))
(assert (not (= (+ (* (ite (not (exists ((y.1 NullableReal) (y.2 NullableReal)) (and (or (and (not ((_ is null_Bool) (|function θ| e.3 e.4 y.1 y.2))) (get_Bool (|function θ| e.3 e.4 y.1 y.2))) (and (not ((_ is null_Bool) (|function φ| e.3 e.4 y.1 y.2))) (get_Bool (|function φ| e.3 e.4 y.1 y.2)))) (<= 1 (|stream B| y.1 y.2 t))))) 1 0) (|stream A| e.3 e.4 t)) (* (- 1) (ite (and (not (exists ((y.5 NullableReal) (y.6 NullableReal)) (and (not ((_ is null_Bool) (|function φ| e.3 e.4 y.5 y.6))) (get_Bool (|function φ| e.3 e.4 y.5 y.6)) (<= 1 (|stream B| y.5 y.6 t))))) (not (exists ((y.7 NullableReal) (y.8 NullableReal)) (and (not ((_ is null_Bool) (|function θ| e.3 e.4 y.7 y.8))) (get_Bool (|function θ| e.3 e.4 y.7 y.8)) (<= 1 (|stream B| y.7 y.8 t)))))) 1 0) (|stream A| e.3 e.4 t))) 0)))
(check-sat) ; unsat
(pop 1)
