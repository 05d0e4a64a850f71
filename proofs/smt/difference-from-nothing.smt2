; difference-from-nothing: A − ∅ ≐ A
; steps: CONG, LIN
(set-logic ALL)
