; self-join-on-a-key: A ⋈_{x=x'} ρ(A) ≐ μ_{A,A}(A): a join of a stream with itself on its key
; steps: ABSORB, CONG, LIN, ONE
(set-logic ALL)
(push 1)
(declare-datatypes ((NullableInt 0)) (((null_Int) (some_Int (get_Int Int)))))
(declare-fun |there A by (0,)| (NullableInt Int) Bool)
(declare-fun |column 1 A by (0,)| (NullableInt Int) NullableInt)
(declare-const e.1 NullableInt)
(declare-const e.2 NullableInt)
(declare-const e.3 NullableInt)
(declare-const e.4 NullableInt)
(declare-const t Int)
(assert (<= 0 t))
(assert (not (= (+ (ite (and (not ((_ is null_Int) e.1)) (= e.1 e.2) (|there A by (0,)| e.1 t) (= e.3 (|column 1 A by (0,)| e.1 t)) (not ((_ is null_Int) e.2)) (|there A by (0,)| e.2 t) (= e.4 (|column 1 A by (0,)| e.2 t))) 1 0) (* (- 1) (ite (and (= e.2 e.1) (= e.4 e.3) (not ((_ is null_Int) e.1)) (|there A by (0,)| e.1 t) (= e.3 (|column 1 A by (0,)| e.1 t))) 1 0))) 0)))
(check-sat) ; unsat
(pop 1)
