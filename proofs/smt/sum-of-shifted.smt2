; sum-of-shifted: α_{SUM(x+c)}(A) ≐ μ_{s+c·n}(α_{s=SUM(x), n=COUNT(x)}(A)), over integers, c not NULL
; steps: ABSORB, CONG, LIN, NOT NULL, ONE
(set-logic ALL)
(push 1)
(declare-datatypes ((NullableInt 0)) (((null_Int) (some_Int (get_Int Int)))))
(declare-fun |sum k.1| () Int)
(declare-fun |exists k.2| () Bool)
(declare-fun |exists k.4| () Bool)
(declare-fun |sum k.5| () Int)
(declare-fun |function c| () NullableInt)
(declare-const e.3 NullableInt)
(declare-const t Int)
(assert (<= 0 t))
(assert (<= 0 |sum k.1|))
(assert (not (= (+ (ite (and |exists k.2| (= e.3 (ite |exists k.4| (some_Int (+ |sum k.5| (* (ite (not ((_ is null_Int) |function c|)) 1 0) (get_Int |function c|) |sum k.1|))) null_Int))) 1 0) (* (- 1) (ite (and |exists k.2| (= e.3 (ite (not |exists k.4|) null_Int (some_Int (+ (* (ite (not |exists k.4|) 1 0) (get_Int null_Int)) |sum k.5| (* (ite (not ((_ is null_Int) |function c|)) 1 0) (get_Int |function c|) |sum k.1|)))))) 1 0))) 0)))
(check-sat) ; unsat
(pop 1)
