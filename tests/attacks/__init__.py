"""Attacks on readers, site and machine that need the checkout: tests, no part of `doctor --attack`."""
