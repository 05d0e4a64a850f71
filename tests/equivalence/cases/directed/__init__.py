"""Tests of directed cases."""
