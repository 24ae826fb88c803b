"""The product attacks itself: hostile cases, what must become of them, and a report of what became of them here."""
