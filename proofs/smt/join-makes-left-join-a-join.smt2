; join-makes-left-join-a-join: (A ⟕_θ B) ⋈_φ C ≐ (A ⋈_θ B) ⋈_φ C, φ true of no row of NULLs for B
; steps: CONG, LIN
(set-logic ALL)
