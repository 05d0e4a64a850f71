; grouping-that-ignores-duplicates: γ_{G;f}(A) ≐ γ_{G;f}(δ(A)), f one of MIN, MAX, COUNT DISTINCT
; steps: CONG, LIN
(set-logic ALL)
