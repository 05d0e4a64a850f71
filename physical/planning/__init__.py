"""Logical plans into physical ones."""
