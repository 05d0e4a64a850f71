"""Dimensions along which engines go wrong, and cases that cover every pair of their values for every operator.

Random cases meet a text of a hundred characters, a third key column or an instant near 2⁶² by luck, and two of them at
once hardly ever. Here a case is made for each pair by construction: `covering` lists the rows of values, `scenario`
makes a plan and streams of one row.
"""
