"""The contracts of other platforms, so that entries that were written for them run here as they are.

`base` says what a contract is, a module each has those of one platform, with the form of its scorers, and `table` is
their table; the stages ask it and know no contract by its name.
"""
