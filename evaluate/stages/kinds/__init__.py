"""The kinds of entry: what is uploaded, how it is prepared, how it answers.

One module for each; the stages are the same for all.
"""
