"""The catalogue of transformation rules, one file per family; and the tempting ones that are false."""
