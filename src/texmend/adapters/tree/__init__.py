"""The TeX tree: where it is, what its files define, which package people mean, and package recovery into a tree of our own."""
