"""Announcements: plain text with nothing that moves a cursor."""

from __future__ import annotations
