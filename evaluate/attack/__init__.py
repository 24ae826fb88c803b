"""The product attacks itself: hostile cases, their expected outcomes, and a report of their outcomes here."""
