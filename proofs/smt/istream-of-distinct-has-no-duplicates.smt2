; istream-of-distinct-has-no-duplicates: δ(Istream(δ(A))) ≐ Istream(δ(A))
; steps: CONG, LIN
(set-logic ALL)
