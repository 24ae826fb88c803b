"""`challenge.yaml`: a challenge on disk."""
