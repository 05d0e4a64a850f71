"""Is the reference right? Golden cases, and SQLite snapshot by snapshot."""
