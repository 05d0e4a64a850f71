; right-join-as-union: A ⟖_θ B ≐ (A ⋈_θ B) ∪ (NULLs with (B ▷_θ A))
; steps: CONG, LIN, ONE
(set-logic ALL)
