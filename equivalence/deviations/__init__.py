"""What is wrong with a recorded output: the whole difference, the rows responsible for it, and the mistake by its name."""
