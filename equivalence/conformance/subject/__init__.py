"""One engine on one case: how it is loaded, given data, limited and read."""
