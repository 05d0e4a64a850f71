; window-of-nothing: B ∪ ω_w(A − A) ≐ B
; steps: CONG, LIN
(set-logic ALL)
