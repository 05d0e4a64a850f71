; outer-union: A ⟗_FALSE B ≐ (A with NULLs) ∪ (NULLs with B): the outer union
; steps: CONG, LIN, ONE
(set-logic ALL)
