; join-over-union-on-the-right: C ⋈_θ (A ∪ B) ≐ (C ⋈_θ A) ∪ (C ⋈_θ B)
; steps: CONG, LIN
(set-logic ALL)
