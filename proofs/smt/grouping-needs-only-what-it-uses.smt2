; grouping-needs-only-what-it-uses: γ_{G;f}(A) ≐ γ_{G;f}(π_M(A)), G and f within M
; steps: CONG, LIN, ONE
(set-logic ALL)
