"""Every numba function, and nothing else: sweeps over arrays of 64-bit codes and times."""
