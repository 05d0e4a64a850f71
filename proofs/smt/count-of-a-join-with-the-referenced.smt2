; count-of-a-join-with-the-referenced: α_{COUNT(*)}(A ⋈_{x=y} B) ≐ α_{COUNT(*)}(A)
; steps: ABSORB, CONG, LIN, NOT NULL, ONE
(set-logic ALL)
