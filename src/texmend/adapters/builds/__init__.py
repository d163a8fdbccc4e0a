"""One build for real: passes, tools between them, drivers, the sandboxed programs, and what they left."""
