"""Where the parts meet."""
