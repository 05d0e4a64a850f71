"""Does an engine speak the protocol of docs/protocol.md? Step by step, with the lines that went and came."""
