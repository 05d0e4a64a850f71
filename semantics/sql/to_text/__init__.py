"""Plans into SQL text that means the same."""
