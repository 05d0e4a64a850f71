; union-through-window: ω_w(A) ∪ ω_w(B) ≐ ω_w(A ∪ B)
; steps: CONG, LIN
(set-logic ALL)
