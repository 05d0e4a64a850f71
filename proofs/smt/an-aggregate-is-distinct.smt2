; an-aggregate-is-distinct: δ(α_f(A)) ≐ α_f(A)
; steps: CONG, LIN
(set-logic ALL)
