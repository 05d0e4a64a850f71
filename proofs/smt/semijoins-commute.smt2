; semijoins-commute: (A ⋉_θ B) ⋉_φ C ≐ (A ⋉_φ C) ⋉_θ B
; steps: CONG, LIN
(set-logic ALL)
(push 1)
(declare-datatypes ((NullableReal 0)) (((null_Real) (some_Real (get_Real Real)))))
(declare-fun |any stream A| (NullableReal NullableReal Int) Int)
(define-fun |stream A| ((x0 NullableReal) (x1 NullableReal) (x2 Int)) Int (ite (and (<= 0 x2) (<= 0 (|any stream A| x0 x1 x2))) (|any stream A| x0 x1 x2) 0))
(declare-fun |exists k.1| () Bool)
(declare-fun |exists k.2| () Bool)
(declare-const e.3 NullableReal)
(declare-const e.4 NullableReal)
(declare-const t Int)
(assert (<= 0 t))
(assert (not (= (+ (* (ite (and |exists k.1| |exists k.2|) 1 0) (|stream A| e.3 e.4 t)) (* (- 1) (ite (and |exists k.2| |exists k.1|) 1 0) (|stream A| e.3 e.4 t))) 0)))
(check-sat) ; unsat
(pop 1)
