"""The durable queue: what is submitted is never lost, never scored twice, and never stuck without saying why.

`db`, `people`, `entries` and `schedule` keep everything in one database, `audit` checks it, `storage` has the files.
`execution` takes entries through their stages, each a durable workflow of DBOS; `views` and `outbound` report on them.
"""
