"""Challenges of other platforms as challenge folders: `base` has what all have in common, each module has one form."""
