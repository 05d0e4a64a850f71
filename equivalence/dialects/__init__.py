"""What an engine means by its queries, inferred from few, chosen probes."""
