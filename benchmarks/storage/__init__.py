"""Linear Road over stores that know more or less of how they are used (Tables 6 and 7, Figure 10)."""
