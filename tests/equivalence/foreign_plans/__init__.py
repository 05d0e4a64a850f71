"""Tests of plans that others write as JSON."""
