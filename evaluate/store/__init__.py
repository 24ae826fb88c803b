"""The memory of the queue: what is submitted is never lost, never scored twice, and never stuck without saying why.

`db` is the database with its journal, `people` has accounts and teams, `entries` their entries and attempts, `schedule`
what waits and runs where, `files` the products of stages.  `evaluate.run` takes entries through their stages,
`evaluate.views` answers questions, `evaluate.operate` keeps it all for years.
"""
