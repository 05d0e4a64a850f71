"""What a second core brings: the same work on one thread and on all, beside peers on all of theirs."""
