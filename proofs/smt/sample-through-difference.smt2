; sample-through-difference: ω_{1,s}(A − B) ≐ ω_{1,s}(A) − ω_{1,s}(B)
; steps: CONG, LIN, PART, PIN
(set-logic ALL)
