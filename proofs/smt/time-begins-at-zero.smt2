; time-begins-at-zero: σ_{now ≥ 0}(A) ≐ A
; steps: ABSORB, CONG, LIN
(set-logic ALL)
