; join-as-filtered-product: A ⋈_θ B ≐ σ_θ(A × B)
; steps: CONG, LIN
(set-logic ALL)
