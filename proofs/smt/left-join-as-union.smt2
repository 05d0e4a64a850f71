; left-join-as-union: A ⟕_θ B ≐ (A ⋈_θ B) ∪ ((A ▷_θ B) with NULLs)
; steps: CONG, LIN, ONE
(set-logic ALL)
