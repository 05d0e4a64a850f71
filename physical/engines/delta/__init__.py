"""The positive–negative approach: streams of signed elements, +e where a row comes and −e where it goes."""
