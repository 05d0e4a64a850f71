"""An engine in any language, driven by a command: the protocol of docs/protocol.md."""
