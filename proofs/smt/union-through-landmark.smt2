; union-through-landmark: ω_[a,r](A) ∪ ω_[a,r](B) ≐ ω_[a,r](A ∪ B)
; steps: CONG, LIN
(set-logic ALL)
