; windowed-sum-of-counts: α_sum(ω_w(α_count(A))) ≐ α_count(ω_w(A))
; steps: ABSORB, CONG, LIN, NOT NULL, ONE
(set-logic ALL)
