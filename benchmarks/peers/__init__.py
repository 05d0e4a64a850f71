"""What people would otherwise reach for, each imported only when it takes part."""
