; left-join-in-two-parts: A ⟕_θ B ≐ ((A ⋉_θ B) ⋈_θ B) ∪ ((A ▷_θ B) ⟕_θ B)
; steps: ABSORB, CONG, LIN
(set-logic ALL)
