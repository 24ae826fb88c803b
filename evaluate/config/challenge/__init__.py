"""`challenge.yaml`: what a challenge is on disk."""
