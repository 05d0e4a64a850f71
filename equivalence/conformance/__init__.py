"""Is an engine right? The conformance suite and what it reports."""
