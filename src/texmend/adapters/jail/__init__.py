"""Starting programs, and the box they run in."""
