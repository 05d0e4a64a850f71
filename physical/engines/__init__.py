"""The engines, one room each; what they share lies beside this room."""
