"""One line of text for streams, rows, expressions and plans: show, and parse back."""
