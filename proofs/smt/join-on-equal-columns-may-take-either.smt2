; join-on-equal-columns-may-take-either: A ⋈_{x=y} B ⋈_{y=z} C ≐ A ⋈_{x=y} B ⋈_{x=z} C
; steps: CONG, LIN
(set-logic ALL)
(push 1)
(declare-datatypes ((NullableInt 0)) (((null_Int) (some_Int (get_Int Int)))))
(declare-fun |any stream A| (NullableInt Int) Int)
(define-fun |stream A| ((x0 NullableInt) (x1 Int)) Int (ite (and (<= 0 x1) (<= 0 (|any stream A| x0 x1))) (|any stream A| x0 x1) 0))
(declare-fun |any stream B| (NullableInt Int) Int)
(define-fun |stream B| ((x0 NullableInt) (x1 Int)) Int (ite (and (<= 0 x1) (<= 0 (|any stream B| x0 x1))) (|any stream B| x0 x1) 0))
(declare-fun |any stream C| (NullableInt Int) Int)
(define-fun |stream C| ((x0 NullableInt) (x1 Int)) Int (ite (and (<= 0 x1) (<= 0 (|any stream C| x0 x1))) (|any stream C| x0 x1) 0))
(declare-const e.1 NullableInt)
(declare-const e.2 NullableInt)
(declare-const e.3 NullableInt)
(declare-const t Int)
(assert (<= 0 t))
(assert (not (= (+ (* (ite (and (not ((_ is null_Int) e.1)) (= e.1 e.2) (not ((_ is null_Int) e.3)) (= e.3 e.1)) 1 0) (|stream A| e.3 t) (|stream B| e.1 t) (|stream C| e.2 t)) (* (- 1) (ite (and (not ((_ is null_Int) e.3)) (= e.3 e.2) (= e.3 e.1)) 1 0) (|stream A| e.3 t) (|stream B| e.1 t) (|stream C| e.2 t))) 0)))
(check-sat) ; unsat
(pop 1)
