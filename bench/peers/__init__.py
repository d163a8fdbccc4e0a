"""Other readers of TeX logs, run beside texmend on the same logs. What each gives is turned into entries by adapters of ours."""
