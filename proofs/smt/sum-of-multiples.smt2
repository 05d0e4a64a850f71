; sum-of-multiples: α_{SUM(c·x)}(A) ≐ μ_{c·s}(α_{s=SUM(x)}(A)), over integers
; steps: ABSORB, CONG, LIN, ONE
(set-logic ALL)
(push 1)
(declare-datatypes ((NullableInt 0)) (((null_Int) (some_Int (get_Int Int)))))
(declare-fun |exists k.1| () Bool)
(declare-fun |function c| () NullableInt)
(declare-fun |exists k.3| () Bool)
(declare-fun |sum k.4| () Int)
(declare-const e.2 NullableInt)
(declare-const t Int)
(assert (<= 0 t))
(assert (not (= (+ (ite (and |exists k.1| (= e.2 (ite (and (not ((_ is null_Int) |function c|)) |exists k.3|) (some_Int (* (ite (not ((_ is null_Int) |function c|)) 1 0) (get_Int |function c|) |sum k.4|)) null_Int))) 1 0) (* (- 1) (ite (and (= e.2 (ite (or ((_ is null_Int) |function c|) (not |exists k.3|)) null_Int (some_Int (+ (* (ite (not |exists k.3|) 1 0) (get_Int |function c|) (get_Int null_Int)) (* (get_Int |function c|) |sum k.4|))))) |exists k.1|) 1 0))) 0)))
(check-sat) ; unsat
(pop 1)
