"""What was found, for people and for programs: text, timelines, tests to keep, JSON, JUnit, HTML."""
