"""Engines that others wrote, as engines under test."""
