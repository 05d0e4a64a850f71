"""Engines whose optimizers can be switched off one by one, each in a small file on one shared piece."""
