; join-of-keyed-streams: δ(A ⋈_{x=y} B) ≐ A ⋈_{x=y} B
; steps: ABSORB, CONG, LIN
(set-logic ALL)
