"""The site: pages and an API over the queue.

It adds no second truth.  What it shows comes from `evaluate.views` and `evaluate.report`, what it changes goes
through the functions that the command line calls, and what a team may see is decided by `evaluate.report.audience`.
"""
