; filter-by-now-through-union: σ_{now < c}(A ∪ B) ≐ σ_{now < c}(A) ∪ σ_{now < c}(B)
; steps: CONG, LIN
(set-logic ALL)
