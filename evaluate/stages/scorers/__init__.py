"""Scorers of the organiser's own: programs in the forms of other platforms, run in guests as they are.

`adapter` has what the forms share and the form ``command``, `codabench` and modules of `evaluate.stages.contracts` have
the others; `run` runs one, and `scorer_output`, which has their table, reads behind walls what it wrote.
"""
