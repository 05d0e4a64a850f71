; product-with-append: A × (B ⧺ C) is (A × B) ⧺ (A × C), as multisets
; steps: CONG, LIN
(set-logic ALL)
