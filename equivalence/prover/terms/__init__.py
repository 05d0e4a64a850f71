"""The language of terms, and how they are built, compared and printed. Soundness rests on this room."""
