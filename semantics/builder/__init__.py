"""What people type to build a query: a fluent builder, and expressions over columns."""
