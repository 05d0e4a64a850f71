"""A running system of queries: lines come in from files, ports and pipes, results go out to files and clients."""
