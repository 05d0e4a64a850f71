"""Verdicts for people and for build servers: text, timelines, tests to keep, JUnit, HTML."""
