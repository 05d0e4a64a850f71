; intersection-of-keys: A ∩ B ≐ A ⋉_{all columns =} B, all columns of A being its key
; steps: ABSORB, CONG, LIN
(set-logic ALL)
(push 1)
(declare-datatypes ((NullableReal 0)) (((null_Real) (some_Real (get_Real Real)))))
(declare-fun |any stream B| (NullableReal NullableReal Int) Int)
(define-fun |stream B| ((x0 NullableReal) (x1 NullableReal) (x2 Int)) Int (ite (and (<= 0 x2) (<= 0 (|any stream B| x0 x1 x2))) (|any stream B| x0 x1 x2) 0))
(declare-fun |there A by (0, 1)| (NullableReal NullableReal Int) Bool)
(declare-const e.1 NullableReal)
(declare-const e.2 NullableReal)
(declare-const t Int)
(assert (<= 0 t))
(assert (not (= (+ (ite (and (not ((_ is null_Real) e.1)) (not ((_ is null_Real) e.2)) (|there A by (0, 1)| e.1 e.2 t) (<= 1 (|stream B| e.1 e.2 t))) 1 0) (* (- 1) (ite (and (not ((_ is null_Real) e.1)) (not ((_ is null_Real) e.2)) (<= 1 (|stream B| e.1 e.2 t)) (|there A by (0, 1)| e.1 e.2 t)) 1 0))) 0)))
(check-sat) ; unsat
(pop 1)
