"""This machine: its state directory and accelerators, and how a job is put together from them."""
