; unbounded-frame-as-a-join: κ_{f over RANGE UNBOUNDED,P}(A) ≐ A ⋈_P γ_{P;f}(ω_∞(A)), NULL matching NULL
; steps: ABSORB, CONG, LIN, ONE
(set-logic ALL)
