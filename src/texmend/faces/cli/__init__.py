"""The terminal face: parse, call a use case, print. No policy."""
