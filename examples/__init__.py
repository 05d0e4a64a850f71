"""Examples that run; each is tested."""
