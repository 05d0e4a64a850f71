; unnest-through-window: υ_a(ω_w(A)) ≐ ω_w(υ_a(A))
; steps: CONG, LIN
(set-logic ALL)
