; sum-of-counts-of-groups: γ_{P,sum}(ω_w(γ_{P,count}(A))) ≐ γ_{P,count}(ω_w(A))
; steps: ABSORB, CONG, LIN, NOT NULL, ONE
(set-logic ALL)
