"""`evaluate.yaml` and `challenge.yaml`: their types, keys, loading."""
