"""One frozen Settings."""
