; unbounded-slide-is-contained: ω_{∞,s}(A) ∩ ω_∞(A) ≐ ω_{∞,s}(A)
; steps: CONG, LIN, PART
(set-logic ALL)
(push 1)
(declare-const t Int)
(declare-const u.1 Int)
(declare-const |number s| Int)
(assert (<= 0 t))
(assert (<= 1 |number s|))
(assert (not (or (< u.1 0) (< (+ t (* (- 1) (mod t |number s|))) u.1) (<= u.1 t))))
(check-sat) ; unsat
(pop 1)
