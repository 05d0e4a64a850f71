"""An engine in a process of its own: whatever it does, the checker goes on."""
