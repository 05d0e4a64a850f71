"""Other people's SQL: each dialect read into this language, construct by construct, or refused by name."""
