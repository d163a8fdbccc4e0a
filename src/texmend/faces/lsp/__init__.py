"""The language server: an editor gets the diagnostics of each save with their causes, and repairs that the compiler has judged."""
