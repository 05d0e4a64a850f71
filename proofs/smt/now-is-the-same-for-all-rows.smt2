; now-is-the-same-for-all-rows: α_{max(now)}(A) ≐ α_{min(now)}(A)
; steps: CONG, LIN
(set-logic ALL)
