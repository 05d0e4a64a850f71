; distinct-around-sessions: δ(Ω_{g,P}(A)) ≐ δ(Ω_{g,P}(δ(A)))
; steps: CONG, LIN
(set-logic ALL)
