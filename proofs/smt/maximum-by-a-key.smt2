; maximum-by-a-key: γ_{x; MAX(p)}(A) ≐ A
; steps: ABSORB, CONG, LIN
(set-logic ALL)
(push 1)
(declare-datatypes ((NullableInt 0)) (((null_Int) (some_Int (get_Int Int)))))
(declare-fun |there A by (0,)| (NullableInt Int) Bool)
(declare-fun |column 1 A by (0,)| (NullableInt Int) NullableInt)
(declare-const e.1 NullableInt)
(declare-const e.2 NullableInt)
(declare-const t Int)
(assert (<= 0 t))
(assert (not (= (+ (ite (and (not ((_ is null_Int) e.1)) (|there A by (0,)| e.1 t) (= e.2 (ite (and (not ((_ is null_Int) (|column 1 A by (0,)| e.1 t))) (<= 0 t) (not ((_ is null_Int) e.1)) (|there A by (0,)| e.1 t)) (some_Int (get_Int (|column 1 A by (0,)| e.1 t))) null_Int))) 1 0) (* (- 1) (ite (and (not ((_ is null_Int) e.1)) (|there A by (0,)| e.1 t) (= e.2 (|column 1 A by (0,)| e.1 t))) 1 0))) 0)))
(check-sat) ; unsat
(pop 1)
