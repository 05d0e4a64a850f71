"""The passes of the pipeline, one kind a module: each takes a conjecture and the progress so far, and adds to it."""
