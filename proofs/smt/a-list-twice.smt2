; a-list-twice: A ⧺ A is A, as sets
; steps: ABSORB, CONG, LIN
(set-logic ALL)
