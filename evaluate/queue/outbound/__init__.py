"""What a queue tells the outside: mail, webhooks, Prometheus."""
