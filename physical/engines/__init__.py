"""The engines, one room each; what they share is in the other rooms of `physical`."""
