; condition-on-now-out-of-join: A ⋈_{p and now < c} B ≐ σ_{now < c}(A) ⋈_p B
; steps: CONG, LIN
(set-logic ALL)
