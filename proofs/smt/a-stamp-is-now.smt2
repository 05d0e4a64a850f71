; a-stamp-is-now: σ_{ts = now}(μ_{…, now as ts}(A)) ≐ μ_{…, now as ts}(A)
; steps: CONG, LIN, ONE
(set-logic ALL)
