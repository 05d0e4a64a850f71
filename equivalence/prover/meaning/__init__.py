"""What plans and lists mean, as terms."""
