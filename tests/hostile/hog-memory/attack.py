held = [bytearray(1 << 24) for _ in range(1000)]
