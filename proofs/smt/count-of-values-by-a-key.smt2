; count-of-values-by-a-key: γ_{x; COUNT(p)}(A) ≐ μ_{x, 0 if p is NULL else 1}(A)
; steps: ABSORB, CONG, LIN, ONE
(set-logic ALL)
(push 1)
(declare-datatypes ((NullableInt 0)) (((null_Int) (some_Int (get_Int Int)))))
(declare-fun |there A by (0,)| (NullableInt Int) Bool)
(declare-fun |column 1 A by (0,)| (NullableInt Int) NullableInt)
(declare-const e.1 NullableInt)
(declare-const e.2 NullableInt)
(declare-const t Int)
(assert (<= 0 t))
(assert (not (= (+ (ite (and (not ((_ is null_Int) e.1)) (|there A by (0,)| e.1 t) (not ((_ is null_Int) e.2)) (= (ite (and (not ((_ is null_Int) (|column 1 A by (0,)| e.1 t))) (not ((_ is null_Int) e.1)) (|there A by (0,)| e.1 t)) 1 0) (get_Int e.2))) 1 0) (* (- 1) (ite (and (= e.2 (ite ((_ is null_Int) (|column 1 A by (0,)| e.1 t)) (some_Int 0) (some_Int 1))) (not ((_ is null_Int) e.1)) (|there A by (0,)| e.1 t)) 1 0))) 0)))
(check-sat) ; unsat
(pop 1)
