"""The time-interval algebra with its state in stores."""
