; every-key-counts-once: α_{COUNT(DISTINCT x)}(A) ≐ α_{COUNT(*)}(A)
; steps: ABSORB, CONG, LIN, NOT NULL, ONE
(set-logic ALL)
