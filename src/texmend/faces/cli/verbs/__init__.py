"""One verb per module."""
