"""How a continuous query is computed."""
