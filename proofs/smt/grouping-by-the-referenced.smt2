; grouping-by-the-referenced: γ_{y;f}(A ⋈_{x=y} B) ≐ γ_{x;f}(A), f over A
; steps: ABSORB, CONG, LIN, ONE
(set-logic ALL)
(push 1)
(declare-datatypes ((NullableInt 0)) (((null_Int) (some_Int (get_Int Int)))))
(declare-datatypes ((NullableReal 0)) (((null_Real) (some_Real (get_Real Real)))))
(declare-fun |any stream A| (NullableInt NullableInt Int) Int)
(define-fun |stream A| ((x0 NullableInt) (x1 NullableInt) (x2 Int)) Int (ite (and (<= 0 x2) (<= 0 (|any stream A| x0 x1 x2)) (not ((_ is null_Int) x0))) (|any stream A| x0 x1 x2) 0))
(declare-fun |there B by (0,)| (NullableInt Int) Bool)
(declare-fun |aggregate f k.4| () NullableReal)
(declare-fun |aggregate f k.5| () NullableReal)
(declare-const e.1 NullableInt)
(declare-const e.3 NullableReal)
(declare-const t Int)
(assert (<= 0 t))
(assert (not (= (+ (ite (and (not ((_ is null_Int) e.1)) (|there B by (0,)| e.1 t) (exists ((x.2 NullableInt)) (<= 1 (|stream A| e.1 x.2 t))) (= e.3 (ite (not ((_ is null_Int) e.1)) (ite (|there B by (0,)| e.1 t) |aggregate f k.4| |aggregate f k.5|) |aggregate f k.5|))) 1 0) (* (- 1) (ite (and (or ((_ is null_Int) e.1) (and (<= 0 t) (not ((_ is null_Int) e.1)) (|there B by (0,)| e.1 t))) (exists ((x.6 NullableInt)) (<= 1 (|stream A| e.1 x.6 t))) (= e.3 (ite (or ((_ is null_Int) e.1) (and (<= 0 t) (not ((_ is null_Int) e.1)) (|there B by (0,)| e.1 t))) |aggregate f k.4| |aggregate f k.5|))) 1 0))) 0)))
(check-sat) ; unsat
(pop 1)
