"""Every numba function, and nothing else: sweeps over arrays of 64-bit codes and times."""

from physical.kernels.freed_memory import keep_freed_memory

keep_freed_memory()  # before Arrow is loaded: its threads make arenas, which threads of ours would get
