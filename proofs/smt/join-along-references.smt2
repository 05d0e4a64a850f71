; join-along-references: π_A((A ⋈_{x=y} B) ⋈_{b=z} C) ≐ A: along a chain of references
; steps: ABSORB, CONG, LIN, ONE
(set-logic ALL)
(push 1)
(declare-datatypes ((NullableInt 0)) (((null_Int) (some_Int (get_Int Int)))))
(declare-fun |any stream A| (NullableInt NullableInt Int) Int)
(define-fun |stream A| ((x0 NullableInt) (x1 NullableInt) (x2 Int)) Int (ite (and (<= 0 x2) (<= 0 (|any stream A| x0 x1 x2)) (not ((_ is null_Int) x0))) (|any stream A| x0 x1 x2) 0))
(declare-fun |column 1 B by (0,)| (NullableInt Int) NullableInt)
(declare-fun |there B by (0,)| (NullableInt Int) Bool)
(declare-fun |there C by (0,)| (NullableInt Int) Bool)
(declare-const e.1 NullableInt)
(declare-const e.2 NullableInt)
(declare-const t Int)
(assert (<= 0 t))
(assert (not (= (+ (* (ite (and (not ((_ is null_Int) (|column 1 B by (0,)| e.1 t))) (not ((_ is null_Int) e.1)) (|there B by (0,)| e.1 t) (|there C by (0,)| (|column 1 B by (0,)| e.1 t) t)) 1 0) (|stream A| e.1 e.2 t)) (* (- 1) (ite (or ((_ is null_Int) e.1) (and (<= 0 t) (not ((_ is null_Int) e.1)) (not ((_ is null_Int) (|column 1 B by (0,)| e.1 t))) (|there B by (0,)| e.1 t) (or ((_ is null_Int) (|column 1 B by (0,)| e.1 t)) (and (<= 0 t) (not ((_ is null_Int) (|column 1 B by (0,)| e.1 t))) (|there C by (0,)| (|column 1 B by (0,)| e.1 t) t))))) 1 0) (|stream A| e.1 e.2 t))) 0)))
(check-sat) ; unsat
(pop 1)
