; sum-over-a-product: α_{SUM(x)}(A × B) ≐ μ_{s·n}(α_{s=SUM(x)}(A) × α_{n=COUNT(*)}(B)), x over A, over integers
; steps: ABSORB, CONG, LIN, NOT NULL, ONE
(set-logic ALL)
(push 1)
(declare-datatypes ((NullableInt 0)) (((null_Int) (some_Int (get_Int Int)))))
(declare-fun |sum k.1| () Int)
(declare-fun |exists k.2| () Bool)
(declare-fun |exists k.3| () Bool)
(declare-fun |exists k.5| () Bool)
(declare-fun |sum k.6| () Int)
(declare-const e.4 NullableInt)
(declare-const t Int)
(assert (<= 0 t))
(assert (<= 0 |sum k.1|))
(assert (not (= (+ (ite (and |exists k.2| |exists k.3| (= e.4 (ite (and |exists k.5| |exists k.3|) (some_Int (* |sum k.6| |sum k.1|)) null_Int))) 1 0) (* (- 1) (ite (and (= e.4 (ite (not |exists k.5|) null_Int (some_Int (+ (* |sum k.6| |sum k.1|) (* (ite (not |exists k.5|) 1 0) (get_Int null_Int) |sum k.1|))))) |exists k.2| |exists k.3|) 1 0))) 0)))
(check-sat) ; unsat
(pop 1)
