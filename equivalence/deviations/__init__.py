"""What is wrong with a recorded output: the whole difference, the rows behind it, and the mistake by its name."""
