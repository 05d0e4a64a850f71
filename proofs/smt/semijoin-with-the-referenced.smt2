; semijoin-with-the-referenced: A ⋉_{x=y} B ≐ A
; steps: ABSORB, CONG, LIN
(set-logic ALL)
(push 1)
(declare-datatypes ((NullableInt 0)) (((null_Int) (some_Int (get_Int Int)))))
(declare-fun |any stream A| (NullableInt NullableInt Int) Int)
(define-fun |stream A| ((x0 NullableInt) (x1 NullableInt) (x2 Int)) Int (ite (and (<= 0 x2) (<= 0 (|any stream A| x0 x1 x2)) (not ((_ is null_Int) x0))) (|any stream A| x0 x1 x2) 0))
(declare-fun |exists k.2| () Bool)
(declare-const e.1 NullableInt)
(declare-const e.3 NullableInt)
(declare-const t Int)
(assert (<= 0 t))
(assert (not (= (+ (* (ite (and (not ((_ is null_Int) e.1)) |exists k.2|) 1 0) (|stream A| e.1 e.3 t)) (* (- 1) (ite (or ((_ is null_Int) e.1) |exists k.2|) 1 0) (|stream A| e.1 e.3 t))) 0)))
(check-sat) ; unsat
(pop 1)
