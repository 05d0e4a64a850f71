; group-column-that-depends-on-a-key: γ_{y,s;f}(A ⋈_{x=y} B(y,s)) ≐ γ_{y; MAX(s), f}(A ⋈_{x=y} B(y,s)), f over A
; steps: ABSORB, CONG, LIN, ONE, SUBST
(set-logic ALL)
(push 1)
(declare-datatypes ((NullableInt 0)) (((null_Int) (some_Int (get_Int Int)))))
(declare-datatypes ((NullableReal 0)) (((null_Real) (some_Real (get_Real Real)))))
(declare-fun |there B by (0,)| (NullableInt Int) Bool)
(declare-fun |exists k.2| () Bool)
(declare-fun |aggregate f k.4| () NullableReal)
(declare-fun |aggregate f k.5| () NullableReal)
(declare-fun |column 1 B by (0,)| (NullableInt Int) NullableInt)
(declare-const e.1 NullableInt)
(declare-const e.3 NullableReal)
(declare-const e.6 NullableInt)
(declare-const t Int)
(assert (<= 0 t))
(assert (not (= (+ (ite (and (not ((_ is null_Int) e.1)) (|there B by (0,)| e.1 t) |exists k.2| (= e.3 (ite (not ((_ is null_Int) e.1)) (ite (|there B by (0,)| e.1 t) |aggregate f k.4| |aggregate f k.5|) |aggregate f k.5|)) (= e.6 (|column 1 B by (0,)| e.1 t))) 1 0) (* (- 1) (ite (and (not ((_ is null_Int) e.1)) (|there B by (0,)| e.1 t) |exists k.2| (= e.6 (ite (and (not ((_ is null_Int) (|column 1 B by (0,)| e.1 t))) (not ((_ is null_Int) e.1)) (<= 0 t) (|there B by (0,)| e.1 t) |exists k.2|) (some_Int (get_Int (|column 1 B by (0,)| e.1 t))) null_Int)) (= e.3 (ite (not ((_ is null_Int) e.1)) (ite (|there B by (0,)| e.1 t) |aggregate f k.4| |aggregate f k.5|) |aggregate f k.5|))) 1 0))) 0)))
(check-sat) ; unsat
(pop 1)
