"""What runs where: tasks, hosts and their faults."""
