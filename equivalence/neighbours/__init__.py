"""Neighbours: plans that differ in one small thing from a given one, to measure whether cases would notice it."""
