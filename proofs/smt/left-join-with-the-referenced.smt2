; left-join-with-the-referenced: A ⟕_{x=y} B ≐ A ⋈_{x=y} B
; steps: ABSORB, CONG, LIN, SUBST
(set-logic ALL)
(push 1)
(declare-datatypes ((NullableInt 0)) (((null_Int) (some_Int (get_Int Int)))))
(declare-fun |any stream A| (NullableInt NullableInt Int) Int)
(define-fun |stream A| ((x0 NullableInt) (x1 NullableInt) (x2 Int)) Int (ite (and (<= 0 x2) (<= 0 (|any stream A| x0 x1 x2)) (not ((_ is null_Int) x0))) (|any stream A| x0 x1 x2) 0))
(declare-fun |exists k.4| () Bool)
(declare-const e.1 NullableInt)
(declare-const e.2 NullableInt)
(declare-const e.3 NullableInt)
(declare-const e.5 NullableInt)
(declare-const t Int)
(assert (<= 0 t))
(assert (not (= (* (ite (and ((_ is null_Int) e.1) ((_ is null_Int) e.2) (or ((_ is null_Int) e.3) (not |exists k.4|)) (or ((_ is null_Int) e.3) |exists k.4|)) 1 0) (|stream A| e.3 e.5 t)) 0)))
(check-sat) ; unsat
(pop 1)
