"""Plans that run on and on: Structured Streaming drives the interval engine, its state lies in the state store."""
