"""Scorers of the organiser's own: programs in the forms of other platforms, run in guests as they are.

`base` has what the forms share, a module each has one of them; `forms` is their table, `run` runs one and `reading`
reads, behind walls, what it wrote.
"""
