"""Walled-in child processes and what the host makes of their replies: lockdown, mounts, users, owned trees."""
