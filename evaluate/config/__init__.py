"""``evaluate.yaml``: an organiser's settings for a host, its daemons and each challenge."""
