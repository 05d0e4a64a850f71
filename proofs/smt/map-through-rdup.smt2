; map-through-rdup: μ_f(rdup(A)) is rdup(μ_f(A)), as sets
; steps: ABSORB, CONG, LIN
(set-logic ALL)
