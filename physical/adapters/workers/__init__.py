"""Programs that drive engines in environments of their own: they speak docs/protocol.md, and need nothing of ours."""
