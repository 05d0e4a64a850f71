; sum-over-union: α_{SUM(x)}(A ∪ B) ≐ α_{SUM(s)}(α_{s=SUM(x)}(A) ∪ α_{s=SUM(x)}(B)), over integers
; steps: ABSORB, CONG, LIN, ONE
(set-logic ALL)
(push 1)
(declare-datatypes ((NullableInt 0)) (((null_Int) (some_Int (get_Int Int)))))
(declare-datatypes ((NullableReal 0)) (((null_Real) (some_Real (get_Real Real)))))
(declare-fun |any stream A| (NullableReal NullableReal Int) Int)
(define-fun |stream A| ((x0 NullableReal) (x1 NullableReal) (x2 Int)) Int (ite (and (<= 0 x2) (<= 0 (|any stream A| x0 x1 x2))) (|any stream A| x0 x1 x2) 0))
(declare-fun |any stream B| (NullableReal NullableReal Int) Int)
(define-fun |stream B| ((x0 NullableReal) (x1 NullableReal) (x2 Int)) Int (ite (and (<= 0 x2) (<= 0 (|any stream B| x0 x1 x2))) (|any stream B| x0 x1 x2) 0))
(declare-fun |function x| (NullableReal NullableReal) NullableInt)
(declare-fun |sum k.6| () Int)
(declare-const e.3 NullableInt)
(declare-const t Int)
(assert (<= 0 t))
(assert (not (= (+ (ite (and (or (exists ((x.1 NullableReal) (x.2 NullableReal)) (<= 1 (|stream A| x.1 x.2 t))) (exists ((x.1 NullableReal) (x.2 NullableReal)) (<= 1 (|stream B| x.1 x.2 t)))) (= e.3 (ite (exists ((x.4 NullableReal) (x.5 NullableReal)) (and (not ((_ is null_Int) (|function x| x.4 x.5))) (or (<= 1 (|stream A| x.4 x.5 t)) (<= 1 (|stream B| x.4 x.5 t))))) (some_Int |sum k.6|) null_Int))) 1 0) (* (- 1) (ite (and (or (exists ((x.7 NullableReal) (x.8 NullableReal)) (<= 1 (|stream A| x.7 x.8 t))) (exists ((x.9 NullableReal) (x.10 NullableReal)) (<= 1 (|stream B| x.9 x.10 t)))) (= e.3 (ite (or (exists ((x.11 NullableReal) (x.12 NullableReal)) (and (not ((_ is null_Int) (|function x| x.11 x.12))) (<= 1 (|stream A| x.11 x.12 t)))) (exists ((x.13 NullableReal) (x.14 NullableReal)) (and (not ((_ is null_Int) (|function x| x.13 x.14))) (<= 1 (|stream B| x.13 x.14 t))))) (some_Int |sum k.6|) null_Int))) 1 0))) 0)))
(check-sat) ; unsat
(pop 1)
