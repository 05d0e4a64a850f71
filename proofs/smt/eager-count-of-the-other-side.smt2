; eager-count-of-the-other-side: γ_{x; SUM(s)}(A ⋈_{x=y} B) ≐ γ_{x; SUM(n·s)}(γ_{x; n=COUNT(*)}(A) ⋈_{x=y} B), over integers
; steps: ABSORB, CONG, LIN, NOT NULL, ONE
(set-logic ALL)
(push 1)
(declare-datatypes ((NullableInt 0)) (((null_Int) (some_Int (get_Int Int)))))
(declare-fun |sum k.1| () Int)
(declare-fun |exists k.3| () Bool)
(declare-fun |exists k.4| () Bool)
(declare-fun |exists k.6| () Bool)
(declare-fun |sum k.7| () Int)
(declare-const e.2 NullableInt)
(declare-const e.5 NullableInt)
(declare-const t Int)
(assert (<= 0 t))
(assert (<= 0 |sum k.1|))
(assert (not (= (+ (ite (and (not ((_ is null_Int) e.2)) |exists k.3| |exists k.4| (= e.5 (ite (and (not ((_ is null_Int) e.2)) |exists k.3| |exists k.6|) (some_Int (* (ite (not ((_ is null_Int) e.2)) 1 0) |sum k.7| |sum k.1|)) null_Int))) 1 0) (* (- 1) (ite (and (not ((_ is null_Int) e.2)) |exists k.4| |exists k.3| (= e.5 (ite (and (not ((_ is null_Int) e.2)) |exists k.6| |exists k.3|) (some_Int (* (ite (not ((_ is null_Int) e.2)) 1 0) |sum k.7| |sum k.1|)) null_Int))) 1 0))) 0)))
(check-sat) ; unsat
(pop 1)
