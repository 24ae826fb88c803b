"""The site: pages and an API over the queue.

It adds no second truth.  Its content comes from `evaluate.views` and `evaluate.report`, its acts call the functions of
the command line, and `evaluate.report.audience` decides on the view of a team.
"""
