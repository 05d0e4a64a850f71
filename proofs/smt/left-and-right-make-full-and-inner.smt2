; left-and-right-make-full-and-inner: (A ⟕_θ B) ∪ (A ⟖_θ B) ≐ (A ⟗_θ B) ∪ (A ⋈_θ B)
; steps: CONG, LIN
(set-logic ALL)
