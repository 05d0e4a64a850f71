; first-and-rest: λ_n(A) ∪ λ_{n,∞}(A) ≐ A
; steps: CONG, LIN
(set-logic ALL)
(push 1)
(declare-datatypes ((NullableReal 0)) (((null_Real) (some_Real (get_Real Real)))))
(declare-fun |any stream A| (NullableReal NullableReal Int) Int)
(define-fun |stream A| ((x0 NullableReal) (x1 NullableReal) (x2 Int)) Int (ite (and (<= 0 x2) (<= 0 (|any stream A| x0 x1 x2))) (|any stream A| x0 x1 x2) 0))
(declare-fun |sum k.1| () Int)
(declare-const e.2 NullableReal)
(declare-const e.3 NullableReal)
(declare-const t Int)
(declare-const |number n| Int)
(assert (<= 0 t))
(assert (<= 1 |number n|))
(assert (<= 0 |sum k.1|))
(assert (not (= (+ (ite (<= |sum k.1| (ite (<= (+ (|stream A| e.2 e.3 t) |sum k.1|) |number n|) (+ (|stream A| e.2 e.3 t) |sum k.1|) |number n|)) (- (ite (<= (+ (|stream A| e.2 e.3 t) |sum k.1|) |number n|) (+ (|stream A| e.2 e.3 t) |sum k.1|) |number n|) |sum k.1|) 0) (ite (<= (+ |number n| (ite (<= |number n| |sum k.1|) (- |sum k.1| |number n|) 0)) (+ (|stream A| e.2 e.3 t) |sum k.1|)) (- (+ (|stream A| e.2 e.3 t) |sum k.1|) (+ |number n| (ite (<= |number n| |sum k.1|) (- |sum k.1| |number n|) 0))) 0) (* (- 1) (|stream A| e.2 e.3 t))) 0)))
(check-sat) ; unsat
(pop 1)
