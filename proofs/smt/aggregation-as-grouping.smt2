; aggregation-as-grouping: α_f(A) ≐ π_f(γ_{c;f}(μ_{A,c}(A))): one group for all
; steps: CONG, LIN, ONE
(set-logic ALL)
