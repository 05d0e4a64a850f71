; map-through-rdup-t: μ_f(rdupT(A)) is rdupT(μ_f(A)), as sets at every instant
; steps: CONG, LIN
(set-logic ALL)
