"""Data of published workloads: NEXMark and Linear Road."""
