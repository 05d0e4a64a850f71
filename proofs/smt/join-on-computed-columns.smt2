; join-on-computed-columns: A ⋈_{f=g} B ≐ π_{A,B}(μ_{A,f}(A) ⋈_{y=z} μ_{B,g}(B)): a join on computed columns
; steps: CONG, LIN, ONE
(set-logic ALL)
