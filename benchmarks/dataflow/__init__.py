"""Baskets and factories, measured as in Section 3.5.1 of the DataCell chapter."""
