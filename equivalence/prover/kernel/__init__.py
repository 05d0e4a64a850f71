"""The steps of a proof, each of which must be right for the proof to be."""
