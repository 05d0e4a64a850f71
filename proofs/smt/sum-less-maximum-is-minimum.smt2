; sum-less-maximum-is-minimum: (A ∪ B) − (A ⊔ B) ≐ A ∩ B
; steps: CONG, LIN
(set-logic ALL)
(push 1)
(declare-datatypes ((NullableReal 0)) (((null_Real) (some_Real (get_Real Real)))))
(declare-fun |any stream A| (NullableReal NullableReal Int) Int)
(define-fun |stream A| ((x0 NullableReal) (x1 NullableReal) (x2 Int)) Int (ite (and (<= 0 x2) (<= 0 (|any stream A| x0 x1 x2))) (|any stream A| x0 x1 x2) 0))
(declare-fun |any stream B| (NullableReal NullableReal Int) Int)
(define-fun |stream B| ((x0 NullableReal) (x1 NullableReal) (x2 Int)) Int (ite (and (<= 0 x2) (<= 0 (|any stream B| x0 x1 x2))) (|any stream B| x0 x1 x2) 0))
(declare-const e.1 NullableReal)
(declare-const e.2 NullableReal)
(declare-const t Int)
(assert (<= 0 t))
(assert (not (= (+ (ite (<= (+ (|stream A| e.1 e.2 t) (ite (<= (|stream A| e.1 e.2 t) (|stream B| e.1 e.2 t)) (- (|stream B| e.1 e.2 t) (|stream A| e.1 e.2 t)) 0)) (+ (|stream A| e.1 e.2 t) (|stream B| e.1 e.2 t))) (- (+ (|stream A| e.1 e.2 t) (|stream B| e.1 e.2 t)) (+ (|stream A| e.1 e.2 t) (ite (<= (|stream A| e.1 e.2 t) (|stream B| e.1 e.2 t)) (- (|stream B| e.1 e.2 t) (|stream A| e.1 e.2 t)) 0))) 0) (* (- 1) (ite (<= (|stream A| e.1 e.2 t) (|stream B| e.1 e.2 t)) (|stream A| e.1 e.2 t) (|stream B| e.1 e.2 t)))) 0)))
(check-sat) ; unsat
(pop 1)
