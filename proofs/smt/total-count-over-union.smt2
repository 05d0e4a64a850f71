; total-count-over-union: total α_{COUNT(x)}(A ∪ B) ≐ α_{SUM(n)}(total α_{n=COUNT(x)}(A) ∪ total α_{n=COUNT(x)}(B))
; steps: CONG, LIN, NOT NULL, ONE
(set-logic ALL)
