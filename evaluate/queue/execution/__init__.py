"""The process that runs entries: durable workflows, progress of a stage, watchdog."""
