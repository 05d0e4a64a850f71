"""Sail: a server in Rust that speaks Spark Connect, without Java, in an environment of its own."""
