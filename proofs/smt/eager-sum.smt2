; eager-sum: γ_{s; SUM(p)}(A ⋈_{x=y} B) ≐ γ_{s; SUM(t)}(γ_{x; t=SUM(p)}(A) ⋈_{x=y} B), over integers
; steps: ABSORB, CONG, LIN, NOT NULL, ONE
(set-logic ALL)
(push 1)
(declare-datatypes ((NullableInt 0)) (((null_Int) (some_Int (get_Int Int)))))
(declare-fun |any stream A| (NullableInt NullableInt Int) Int)
(define-fun |stream A| ((x0 NullableInt) (x1 NullableInt) (x2 Int)) Int (ite (and (<= 0 x2) (<= 0 (|any stream A| x0 x1 x2))) (|any stream A| x0 x1 x2) 0))
(declare-fun |any stream B| (NullableInt NullableInt Int) Int)
(define-fun |stream B| ((x0 NullableInt) (x1 NullableInt) (x2 Int)) Int (ite (and (<= 0 x2) (<= 0 (|any stream B| x0 x1 x2))) (|any stream B| x0 x1 x2) 0))
(declare-const e.3 NullableInt)
(declare-const t Int)
(declare-const x.1 Int)
(declare-const x.2 Int)
(assert (<= 0 t))
(assert (not (= (* (|stream A| (some_Int x.1) (some_Int x.2) t) (|stream B| (some_Int x.1) e.3 t) x.2) (* (|stream B| (some_Int x.1) e.3 t) (|stream A| (some_Int x.1) (some_Int x.2) t) x.2))))
(check-sat) ; unsat
(pop 1)
