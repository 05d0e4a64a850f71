"""Two plans compared: cases first, then the neighbours that no case told apart, by more cases and by proof."""
