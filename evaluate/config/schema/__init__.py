"""YAML by described dataclasses: mistakes with their lines."""
