"""Stores against a plain model of what is in them."""
