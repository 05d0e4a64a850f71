; groups-are-distinct: δ(γ_{G;f}(A)) ≐ γ_{G;f}(A)
; steps: CONG, LIN
(set-logic ALL)
