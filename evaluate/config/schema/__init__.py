"""YAML by annotated dataclasses: mistakes with their lines."""
