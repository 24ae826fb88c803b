"""Scheduling of what runs where: tasks, hosts and their faults."""
