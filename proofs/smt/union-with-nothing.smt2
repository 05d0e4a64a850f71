; union-with-nothing: A ∪ ∅ ≐ A
; steps: CONG, LIN
(set-logic ALL)
