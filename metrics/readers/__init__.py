"""From files that others wrote to checked values."""
