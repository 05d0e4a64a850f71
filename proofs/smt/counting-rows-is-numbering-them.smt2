; counting-rows-is-numbering-them: κ_{count(*) over ROWS UNBOUNDED,P}(A) ≐ κ_{row_number,P}(A)
; steps: CONG, LIN, ONE
(set-logic ALL)
