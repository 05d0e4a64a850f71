"""What engines write down of their results, and what it claims."""
