"""Packs the folder of an entry as a publisher does: what belongs to it is packed, secrets and caches are not."""
