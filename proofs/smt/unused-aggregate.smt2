; unused-aggregate: π_{G,x}(γ_{G; x=f, y=g}(A)) ≐ γ_{G; x=f}(A)
; steps: CONG, LIN, ONE
(set-logic ALL)
