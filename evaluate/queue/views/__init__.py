"""What people ask of a queue: status, why, board."""
