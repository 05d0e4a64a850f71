; more-columns-through-istream: Istream(μ_{id,f}(A)) ≐ μ_{id,f}(Istream(A))
; steps: CONG, LIN, ONE, PART
(set-logic ALL)
