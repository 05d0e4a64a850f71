"""The proof kernel, which says what it does: every step becomes a lemma of a certificate."""
