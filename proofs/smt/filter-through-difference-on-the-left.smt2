; filter-through-difference-on-the-left: σ_p(A − B) ≐ σ_p(A) − B
; steps: CONG, LIN
(set-logic ALL)
