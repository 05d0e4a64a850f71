"""The reference with one operator, window, expression or aggregate wrong."""
