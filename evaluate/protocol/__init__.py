"""What host and guest say to each other; shipped to the guest as it is."""
