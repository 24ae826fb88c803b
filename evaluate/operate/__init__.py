"""Keeps a queue for years: backup, restore, prune, upkeep, service, mail, numbers for Prometheus, receipts."""
