"""texmend makes a LaTeX document that does not build, build again, and proves what it did."""

__version__ = "0.1.0"
