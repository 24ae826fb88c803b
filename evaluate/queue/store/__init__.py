"""What the queue remembers: tables, journal, backup."""
