; every-row-is-its-own-partner: A ⋉_≡ A ≐ A, ≡ being equality in which NULL equals NULL
; steps: ABSORB, CONG, LIN
(set-logic ALL)
