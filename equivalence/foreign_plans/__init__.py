"""Plans that others write as JSON, QED's and Calcite's, as SQL of this project."""
