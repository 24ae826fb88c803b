"""YAML files by annotated dataclasses: reading, mistakes with their lines, JSON schema."""
