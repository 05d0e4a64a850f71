; sample-through-total-aggregation: ω_{1,s}(α_f(A)) ≐ α_f(ω_{1,s}(A)), with f(∅) too
; steps: CONG, LIN, PIN
(set-logic ALL)
(push 1)
(declare-datatypes ((NullableReal 0)) (((null_Real) (some_Real (get_Real Real)))))
(declare-fun |aggregate f k.2| () NullableReal)
(declare-fun |aggregate f k.3| () NullableReal)
(declare-const e.1 NullableReal)
(declare-const t Int)
(declare-const |number s| Int)
(assert (<= 0 t))
(assert (<= 1 |number s|))
(assert (not (= (+ (ite (and (<= 0 (+ t (* (- 1) (mod t |number s|)))) (= e.1 |aggregate f k.2|)) 1 0) (* (- 1) (ite (= e.1 (ite (<= 0 (+ t (* (- 1) (mod t |number s|)))) |aggregate f k.2| |aggregate f k.3|)) 1 0))) 0)))
(check-sat) ; unsat
(pop 1)
