; projection-on-groups-through-sessions: π_{P,bounds}(Ω_{g,P}(A)) ≐ Ω_{g,P}(π_P(A))
; steps: CONG, LIN, ONE
(set-logic ALL)
