; nothing-leaves-an-unbounded-window: B ∪ Dstream(ω_∞(A)) ≐ B
; steps: CONG, LIN, PART
(set-logic ALL)
(push 1)
(declare-const t Int)
(declare-const u.1 Int)
(assert (<= 0 t))
(assert (not (or (< u.1 0) (< (+ t (- 1)) u.1) (<= u.1 t))))
(check-sat) ; unsat
(pop 1)
