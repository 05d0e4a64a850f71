; union-through-slide: ω_{w,s}(A) ∪ ω_{w,s}(B) ≐ ω_{w,s}(A ∪ B)
; steps: CONG, LIN
(set-logic ALL)
