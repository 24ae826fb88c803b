"""Challenges of other platforms as folders of ours: `base` has what all have in common, each module has one form."""
