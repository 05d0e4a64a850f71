"""The time-interval algebra: push-based operators over batches of elements with validity intervals."""
