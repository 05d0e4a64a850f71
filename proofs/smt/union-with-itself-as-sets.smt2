; union-with-itself-as-sets: A ∪ A ≐ A as sets
; steps: CONG, LIN
(set-logic ALL)
