; every-row-finds-its-group: π_A(A ⋈_≡ ρ(γ_{G;f}(A))) ≐ A, ≡ being equality of the group columns in which NULL equals NULL
; steps: ABSORB, CONG, LIN, ONE
(set-logic ALL)
