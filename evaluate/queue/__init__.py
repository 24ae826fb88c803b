"""The durable queue: what is submitted is never lost, never scored twice, and never stuck without saying why.

`store` keeps everything in one database; `flow` takes an entry through its stages, each as a durable workflow of DBOS;
`work` does a stage; `daemon` is the process that runs them; `board` and `why` say what came of it.
"""
