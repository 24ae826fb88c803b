"""A challenge: its folder, its ``challenge.yaml``, its record sets."""
