"""This machine: its state directory, configuration, accelerators, and how a job is put together from them."""
