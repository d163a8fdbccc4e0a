"""What stays of a session: its folder, journal, evidence as a bag, replay, retention, the bug report."""
