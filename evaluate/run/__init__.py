"""Takes entries through their stages: what runs on a host, and what follows when it has ended."""
