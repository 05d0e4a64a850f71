; conditional-count: total α_{COUNT(*)}(σ_p(A)) ≐ total α_{COUNT(1 where p)}(A)
; steps: CONG, LIN
(set-logic ALL)
